import { byteLengthOf } from './audio.ts';
import type { Chunk, Ending, Opening, StreamEvent } from './transcript.ts';

/** A transcript, read back from its file. */
export interface Transcript {
  readonly opening: Opening;
  readonly ending: Ending;
  /** The complete events of the body; what comes after the last one is left out. */
  readonly events: readonly StreamEvent[];
  /** Data lines that hold no payload. */
  readonly strangeLines: readonly string[];
}

export function parseTranscript(text: string): Transcript {
  const lines: unknown[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const chunks = lines.slice(1, -1) as Chunk[];
  const body = Buffer.concat(chunks.map(([, base64]) => Buffer.from(base64, 'base64'))).toString('utf8');
  // Text after the last blank line is not an event.
  const events = body.split('\n\n').slice(0, -1);
  const data = events.map((event) => event.replace(/^data: /, ''));
  const isPayload = (line: string) => line.startsWith('{');
  return {
    opening: lines[0] as Opening,
    ending: lines.at(-1) as Ending,
    events: data.filter(isPayload).map((line) => JSON.parse(line) as StreamEvent),
    strangeLines: data.filter((line) => !isPayload(line)),
  };
}

/** Seconds by which times may be off. */
const tolerance = 0.05;

/** Check of each rule of the service in streams.yaml: whether a transcript keeps it. */
export const keepsRule: { readonly [ruleId: string]: (transcript: Transcript) => boolean } = {
  'one-payload-an-event': ({ strangeLines }) => strangeLines.every((line) => line === '[DONE]'),
  'every-event-carries-audio': ({ events }) =>
    events.every(
      ({ audio_base64 }) => Buffer.from(audio_base64, 'base64').toString('base64') === audio_base64,
    ),
  'chunks-join-to-the-audio': (transcript) => transcript.ending.end === 'broken' || isWholeAudio(transcript),
  'offset-belongs-to-the-chunk': ({ events }) =>
    events.every(({ chunk_seq, chunk_audio_offset_sec }) =>
      events.every(
        (other) => other.chunk_seq !== chunk_seq || other.chunk_audio_offset_sec === chunk_audio_offset_sec,
      ),
    ),
  'body-ends-cleanly': ({ ending }) => ending.end === 'clean',
  'snapshot-covers-the-last-one': ({ events }) =>
    events.every(({ chunk_seq, alignment }, index) => {
      const before = events
        .slice(0, index)
        .findLast((one) => one.chunk_seq === chunk_seq && one.alignment !== null);
      if (alignment === null || !before?.alignment) return true;
      return (
        alignment.segments.length >= before.alignment.segments.length &&
        alignment.audio_duration >= before.alignment.audio_duration
      );
    }),
  'segments-in-order': ({ events }) =>
    events.every(({ alignment }) =>
      (alignment?.segments ?? []).every(({ start, end }, index, segments) => {
        const ahead = segments[index - 1];
        return (
          start <= end && start >= (ahead?.start ?? 0) && end <= (alignment?.audio_duration ?? 0) + tolerance
        );
      }),
    ),
  'chunk-seq-does-not-decrease': ({ events }) => rises(events.map(({ chunk_seq }) => chunk_seq)),
  'offset-does-not-decrease': ({ events }) =>
    rises(events.map(({ chunk_audio_offset_sec }) => chunk_audio_offset_sec)),
  'no-end-marker': ({ strangeLines }) => !strangeLines.includes('[DONE]'),
};

function rises(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => number >= (numbers[index - 1] ?? number));
}

/** True if the joined audio has the requested format, and lasts as long as the latest snapshot says. */
function isWholeAudio({ opening, events }: Transcript): boolean {
  const audio = Buffer.concat(events.map(({ audio_base64 }) => Buffer.from(audio_base64, 'base64')));
  const isWav = opening.request.body.format === 'wav';
  if (isWav && audio.toString('latin1', 0, 4) !== 'RIFF') return false;
  const seconds = (audio.byteLength - (isWav ? 44 : 0)) / byteLengthOf(1000);
  const last = events.findLast(({ alignment }) => alignment !== null);
  if (last === undefined) return seconds > 0;
  const told = last.chunk_audio_offset_sec + (last.alignment?.audio_duration ?? 0);
  return Math.abs(seconds - told) <= tolerance;
}
