import { byteLengthOf, streamedWavHeader, tone } from './audio.ts';
import {
  type Alignment,
  type Chunk,
  type Ending,
  type Opening,
  readEvents,
  type StreamEvent,
} from './transcript.ts';

/** A text chunk: its text as it was written, and what is spoken of it with the time that each part takes. */
export interface Utterance {
  readonly content: string;
  readonly spoken: readonly { readonly text: string; readonly milliseconds: number }[];
}

/** What one event of the stream holds. */
export interface Step {
  /** Up to where in the full audio this event brings the reader, in milliseconds. */
  readonly audioUntil: number;
  /** Which text chunk it speaks about, by its place. */
  readonly chunk: number;
  /** How many segments its snapshot has; null for an event without one. */
  readonly segments: number | null;
}

/** Where the body is cut into pieces: after each event, or after so many bytes, whatever they are. */
export type Cutting = 'events' | number;

export interface Plan {
  readonly about: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly utterances: readonly Utterance[];
  readonly steps: readonly Step[];
  readonly cutting: Cutting;
  /** Text after the last event, such as a line that should not be there. */
  readonly tail?: string;
  /** The connection breaks after so many bytes of the last event. */
  readonly breaksInLastEventAfter?: number;
  readonly breaks?: readonly string[];
}

const firstByteAfter = 180;
const pause = 40;

/** The lines of a transcript, written from a plan. Nothing in it depends on the clock or on chance. */
export function compose(plan: Plan): string {
  const events = eventsOf(plan);
  const complete = plan.breaksInLastEventAfter === undefined ? events : events.slice(0, -1);
  const chunks = cut(bodyOf(plan, events), plan.cutting);
  const opening: Opening = {
    transcript: 1,
    about: plan.about,
    request: {
      method: 'POST',
      path: '/v1/tts/stream/with-timestamp',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json', model: 's2-pro' },
      body: plan.body,
    },
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' },
    breaks: plan.breaks ?? [],
  };
  const ending: Ending = {
    end: plan.breaksInLastEventAfter === undefined ? 'clean' : 'broken',
    at_ms: firstByteAfter + pause * chunks.length,
    reads_as: readEvents(complete),
  };
  return [opening, ...chunks, ending].map((line) => `${JSON.stringify(line)}\n`).join('');
}

function eventsOf({ utterances, steps, body }: Plan): StreamEvent[] {
  const audio = Buffer.concat([
    ...(body.format === 'wav' ? [streamedWavHeader()] : []),
    ...utterances
      .flatMap(({ spoken }) => spoken)
      .map(({ milliseconds }, index) => tone(milliseconds, pitch(index))),
  ]);
  const header = body.format === 'wav' ? streamedWavHeader().byteLength : 0;
  let sent = 0;
  return steps.map(({ audioUntil, chunk, segments }) => {
    const until = header + byteLengthOf(audioUntil);
    const piece = audio.subarray(sent, until);
    sent = until;
    return {
      audio_base64: piece.toString('base64'),
      content: utterances[chunk]?.content ?? '',
      alignment: segments === null ? null : snapshot(utterances[chunk], segments),
      chunk_seq: chunk,
      chunk_audio_offset_sec: durationOf(utterances.slice(0, chunk)) / 1000,
    };
  });
}

/** A different tone for each word, so that an ear can follow them. */
function pitch(index: number): number {
  return 220 + 55 * (index % 8);
}

function snapshot(utterance: Utterance | undefined, count: number): Alignment {
  let elapsed = 0;
  const segments = (utterance?.spoken ?? []).slice(0, count).map(({ text, milliseconds }) => {
    const start = elapsed / 1000;
    elapsed += milliseconds;
    return { text, start, end: elapsed / 1000 };
  });
  return { audio_duration: elapsed / 1000, segments };
}

function durationOf(utterances: readonly Utterance[]): number {
  return utterances.flatMap(({ spoken }) => spoken).reduce((sum, { milliseconds }) => sum + milliseconds, 0);
}

/** The body, event by event. */
function bodyOf({ tail, breaksInLastEventAfter }: Plan, events: readonly StreamEvent[]): Buffer[] {
  const written = events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
  const last = written.at(-1);
  if (breaksInLastEventAfter !== undefined && last !== undefined) {
    written.splice(-1, 1, last.subarray(0, breaksInLastEventAfter));
  }
  return tail === undefined ? written : [...written, Buffer.from(tail)];
}

function cut(body: readonly Buffer[], cutting: Cutting): Chunk[] {
  const whole = Buffer.concat(body);
  const pieces =
    cutting === 'events'
      ? body
      : Array.from({ length: Math.ceil(whole.byteLength / cutting) }, (_, index) =>
          whole.subarray(index * cutting, (index + 1) * cutting),
        );
  return pieces.map((piece, index) => [firstByteAfter + pause * index, piece.toString('base64')]);
}
