import { createHash } from 'node:crypto';

/** One payload of the timestamped stream (section 2.4). */
export interface StreamEvent {
  readonly audio_base64: string;
  readonly content: string;
  readonly alignment: Alignment | null;
  readonly chunk_seq: number;
  readonly chunk_audio_offset_sec: number;
}

export interface Alignment {
  readonly audio_duration: number;
  readonly segments: readonly Segment[];
}

export interface Segment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The first line of a transcript. */
export interface Opening {
  readonly transcript: 1;
  readonly about: string;
  readonly request: {
    readonly method: 'POST';
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Readonly<Record<string, unknown>>;
  };
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The stream rules that the recorded service breaks. */
  readonly breaks: readonly string[];
}

/** A piece of the body: when it came, in milliseconds after the request, and its bytes in base64. */
export type Chunk = readonly [atMilliseconds: number, base64: string];

/** The last line: how the body ended, and what a reader has by then. */
export interface Ending {
  readonly end: 'clean' | 'broken';
  readonly at_ms: number;
  readonly reads_as: Reading;
}

/** The result of a reader that keeps section 3. */
export interface Reading {
  readonly events: number;
  readonly audio_bytes: number;
  readonly audio_sha256: string;
  /** In global time: the offset of the chunk is added. */
  readonly segments: readonly Segment[];
}

/** A transcript, read back from its file. */
export interface Transcript {
  readonly opening: Opening;
  readonly ending: Ending;
  /** The complete events of the body; what comes after the last one is left out. */
  readonly events: readonly StreamEvent[];
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
  const payloads = data.filter((line) => line.startsWith('{'));
  return {
    opening: lines[0] as Opening,
    ending: lines.at(-1) as Ending,
    events: payloads.map((line) => JSON.parse(line) as StreamEvent),
  };
}

/** Makes a reading from events by the table of section 3, in the plainest way. */
export function readEvents(events: readonly StreamEvent[]): Reading {
  const audio = Buffer.concat(events.map(({ audio_base64 }) => Buffer.from(audio_base64, 'base64')));
  const snapshots = new Map<number, readonly Segment[]>();
  for (const { alignment, chunk_seq, chunk_audio_offset_sec: offset } of events) {
    if (alignment === null) continue;
    const global = alignment.segments.map(({ text, start, end }) => ({
      text,
      start: rounded(start + offset),
      end: rounded(end + offset),
    }));
    snapshots.set(chunk_seq, global);
  }
  return {
    events: events.length,
    audio_bytes: audio.byteLength,
    audio_sha256: createHash('sha256').update(audio).digest('hex'),
    segments: [...snapshots].sort(([one], [other]) => one - other).flatMap(([, segments]) => segments),
  };
}

/** To the microsecond, so that 0.1 + 0.2 is written as 0.3. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
