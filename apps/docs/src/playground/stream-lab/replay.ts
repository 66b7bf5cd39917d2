import { readWavHeader } from '@speech-api/audio';
import type { DecodedSamples } from '@speech-api/audio/play';
import {
  type AlignmentUpdateEvent,
  type AudioChunkEvent,
  readSpeechEvents,
  Timeline,
  type TimelineSegment,
} from '@speech-api/streaming';
import { defaultSampleRates, type SpeechStreamEvent } from '@speech-api/types';

/** A recorded answer: what was asked, the body piece by piece, and how it ended. */
export interface Transcript {
  readonly about: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: { readonly text: string; readonly format?: string; readonly sample_rate?: number };
  };
  /** Ids of the rules between events that the answer breaks. */
  readonly breaks: readonly string[];
  readonly pieces: readonly TranscriptPiece[];
  readonly end: 'clean' | 'broken';
}

/** A piece of the body, cut anywhere. */
export interface TranscriptPiece {
  /** Milliseconds after the request was sent. */
  readonly atMilliseconds: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Opening = Pick<Transcript, 'about' | 'request' | 'breaks'>;
type Line = Opening | readonly [number, string] | { readonly end: Transcript['end'] };

/** Reads a transcript from its JSON lines. */
export function parseTranscript(file: string): Transcript {
  const lines = file
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line));
  const opening = lines.find((line): line is Opening => 'request' in line);
  const ending = lines.find((line): line is { end: Transcript['end'] } => 'end' in line);
  if (opening === undefined || ending === undefined) throw new Error('the transcript is not whole');
  const { about, request, breaks } = opening;
  const pieces = lines.filter((line): line is readonly [number, string] => Array.isArray(line));
  return {
    about,
    request,
    breaks,
    pieces: pieces.map(([atMilliseconds, base64]) => ({ atMilliseconds, bytes: fromBase64(base64) })),
    end: ending.end,
  };
}

function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** The current snapshot of one chunk. */
export interface Snapshot {
  readonly chunk: number;
  /** Seconds at which the chunk begins. */
  readonly offset: number;
  /** Seconds that the chunk lasts. */
  readonly duration: number;
  readonly segments: readonly { readonly text: string; readonly start: number; readonly end: number }[];
}

/** What an event does to the snapshot of its chunk (section 3). */
export type SnapshotEffect = 'none-yet' | 'first' | 'replaced' | 'repeated' | 'unchanged-by-null';

/** One event of the stream and everything there is after it. */
export interface Step {
  readonly atMilliseconds: number;
  readonly wire: AudioChunkEvent['wire'];
  readonly audio: Uint8Array<ArrayBuffer>;
  /** Bytes of audio that there were before. */
  readonly bytesBefore: number;
  readonly effect: SnapshotEffect;
  /** The snapshot that was replaced. */
  readonly before: Snapshot | undefined;
  /** Every snapshot there is now, by `chunk_seq`. */
  readonly snapshots: readonly Snapshot[];
  /** The timeline in global time, as the client gives it. */
  readonly segments: readonly TimelineSegment[];
  /** What is not in order about it. */
  readonly remarks: readonly string[];
}

/** How the stream ended. */
export type Ending =
  | { readonly kind: 'clean'; readonly atMilliseconds: number }
  | { readonly kind: 'broken'; readonly atMilliseconds: number; readonly message: string };

/** A stream, taken apart. */
export interface Replay {
  readonly steps: readonly Step[];
  readonly ending: Ending;
}

/** What the audio of a transcript is; they are all 16-bit samples, with a wav header or without. */
export interface LabAudio {
  readonly format: 'pcm' | 'wav';
  readonly sampleRate: number;
}

export function audioOf({ request }: Transcript): LabAudio {
  const { format, sample_rate: sampleRate } = request.body;
  if (format !== 'pcm' && format !== 'wav') throw new Error(`the lab draws pcm and wav, not ${format}`);
  return { format, sampleRate: sampleRate ?? defaultSampleRates[format] };
}

/** The audio of the first events, joined in arrival order. */
export function joinAudio(steps: readonly Step[]): Uint8Array<ArrayBuffer> {
  const last = steps.at(-1);
  const joined = new Uint8Array(last === undefined ? 0 : last.bytesBefore + last.audio.length);
  for (const { bytesBefore, audio } of steps) joined.set(audio, bytesBefore);
  return joined;
}

/** Its samples, for drawing them. */
export function samplesOf(bytes: Uint8Array<ArrayBuffer>, { format, sampleRate }: LabAudio): DecodedSamples {
  const start = format === 'wav' ? (readWavHeader(bytes)?.dataOffset ?? bytes.length) : 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, bytes.length - start);
  // Half a sample may wait for its other half.
  const samples = new Float32Array(Math.floor(view.byteLength / 2));
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = view.getInt16(index * 2, true) / 32768;
  }
  return { channels: [samples], sampleRate };
}

/** What is not in order about an event, in words. */
export function remarksOn(
  event: SpeechStreamEvent,
  before: Snapshot | undefined,
  after: Snapshot | undefined,
  previous: SpeechStreamEvent | undefined,
): string[] {
  const remarks: string[] = [];
  if (previous !== undefined && event.chunk_seq < previous.chunk_seq) {
    remarks.push(`chunk_seq goes back from ${previous.chunk_seq} to ${event.chunk_seq}.`);
  }
  if (previous !== undefined && event.chunk_audio_offset_sec < previous.chunk_audio_offset_sec) {
    remarks.push(
      `chunk_audio_offset_sec goes back from ${previous.chunk_audio_offset_sec} to ${event.chunk_audio_offset_sec}.`,
    );
  }
  if (before !== undefined && after !== undefined && after.segments.length < before.segments.length) {
    remarks.push(
      `The new snapshot has ${after.segments.length} segments where the last one had ${before.segments.length}.`,
    );
  }
  return remarks;
}

/** Reads a transcript as the client reads a stream, and keeps what there is after each event. */
export async function replay(transcript: Transcript): Promise<Replay> {
  const timeline = new Timeline();
  const snapshots = new Map<number, Snapshot>();
  const steps: Step[] = [];
  let clock = 0;
  let bytes = 0;
  let open: AudioChunkEvent | undefined;

  async function* body(): AsyncGenerator<Uint8Array> {
    for (const piece of transcript.pieces) {
      clock = piece.atMilliseconds;
      yield piece.bytes;
    }
    if (transcript.end === 'broken') throw new Error('the connection was closed');
  }

  /** An event is over when the next one begins: then it is known whether it had an alignment. */
  function close(update?: AlignmentUpdateEvent): void {
    if (open === undefined) return;
    const { wire, audio } = open;
    const before = snapshots.get(wire.chunk_seq);
    const after = update && toSnapshot(update);
    if (after !== undefined) snapshots.set(wire.chunk_seq, after);
    steps.push({
      atMilliseconds: clock,
      wire,
      audio,
      bytesBefore: bytes,
      effect: effectOf(before, after),
      before,
      snapshots: [...snapshots.values()].sort((left, right) => left.chunk - right.chunk),
      segments: timeline.segments,
      remarks: remarksOn(wire, before, after, steps.at(-1)?.wire),
    });
    bytes += audio.length;
    open = undefined;
  }

  let ending: Ending = { kind: 'clean', atMilliseconds: 0 };
  try {
    for await (const event of readSpeechEvents(body())) {
      timeline.apply(event);
      if (event.type === 'audio-chunk') {
        open = event;
        // Without an alignment no further event of this package follows for it.
        if (event.wire.alignment === null) close();
      } else if (event.type === 'alignment-update') close(event);
    }
    ending = { kind: 'clean', atMilliseconds: clock };
  } catch (error) {
    ending = {
      kind: 'broken',
      atMilliseconds: clock,
      message: error instanceof Error ? error.message : String(error),
    };
  }
  return { steps, ending };
}

function toSnapshot({ chunk_seq, chunk_audio_offset_sec, alignment }: AlignmentUpdateEvent): Snapshot {
  return {
    chunk: chunk_seq,
    offset: chunk_audio_offset_sec,
    duration: alignment.audio_duration,
    segments: alignment.segments,
  };
}

function effectOf(before: Snapshot | undefined, after: Snapshot | undefined): SnapshotEffect {
  if (after === undefined) return before === undefined ? 'none-yet' : 'unchanged-by-null';
  if (before === undefined) return 'first';
  return JSON.stringify(before) === JSON.stringify(after) ? 'repeated' : 'replaced';
}
