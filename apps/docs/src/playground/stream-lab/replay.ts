import {
  type AlignmentUpdateEvent,
  type AudioChunkEvent,
  readSpeechEvents,
  Timeline,
} from '@speech-api/streaming';
import { remarksOn } from './remarks.ts';
import type { Ending, Replay, Snapshot, SnapshotEffect, Step } from './steps.ts';
import type { Transcript } from './transcript.ts';

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
