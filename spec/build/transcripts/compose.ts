import { bytesPerSample, sampleRate, streamedWavHeader } from './audio.ts';
import {
  type Alignment,
  type Chunk,
  type Ending,
  type Opening,
  readEvents,
  type StreamEvent,
} from './transcript.ts';
import { recorded } from './voice.ts';

/** A text chunk: its text as it was written, and its words with their times. */
export interface Utterance {
  readonly content: string;
  readonly words: readonly string[];
  /** With which it was recorded. */
  readonly speed?: number;
}

/** One event of the stream. */
export interface Step {
  /** Up to where in the full audio this event brings the reader, from 0 to 1. */
  readonly audioShare: number;
  /** Which text chunk it speaks about, by its place. */
  readonly chunk: number;
  /** Number of segments in its snapshot; null for an event without one. */
  readonly segments: number | null;
}

/** The body is cut after each event, or after this number of bytes. */
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
  const header = body.format === 'wav' ? streamedWavHeader() : new Uint8Array();
  const sound = Buffer.concat(utterances.map(({ content }) => recorded(content).audio));
  const audio = Buffer.concat([header, sound]);
  let sent = 0;
  return steps.map(({ audioShare, chunk, segments }) => {
    const samples = Math.round((audioShare * sound.byteLength) / bytesPerSample);
    const until = header.byteLength + samples * bytesPerSample;
    const piece = audio.subarray(sent, until);
    sent = until;
    return {
      audio_base64: piece.toString('base64'),
      content: utterances[chunk]?.content ?? '',
      alignment: segments === null ? null : snapshot(utterances[chunk], segments),
      chunk_seq: chunk,
      chunk_audio_offset_sec: utterances.slice(0, chunk).reduce((sum, one) => sum + secondsOf(one), 0),
    };
  });
}

/** The first words of an utterance; with the last of them it is complete. */
function snapshot(utterance: Utterance | undefined, count: number): Alignment {
  if (utterance === undefined) return { audio_duration: 0, segments: [] };
  const times = recorded(utterance.content).words;
  const segments = utterance.words.slice(0, count).map((text, index) => {
    const [start, end] = times[index] ?? [0, 0];
    return { text, start, end };
  });
  const isComplete = count >= utterance.words.length;
  return { audio_duration: isComplete ? secondsOf(utterance) : (segments.at(-1)?.end ?? 0), segments };
}

function secondsOf({ content }: Utterance): number {
  return recorded(content).audio.byteLength / bytesPerSample / sampleRate;
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
