import type { Alignment, SpeechStreamEvent } from '@speech-api/types';

/**
 * Audio, once for each event of the wire, in arrival order.
 * The chunks joined are the complete audio; one chunk alone may hold a part of a frame or a sample.
 * A chunk may be empty, and it must not be attributed to the `chunk_seq` it arrived with.
 */
export interface AudioChunkEvent {
  readonly type: 'audio-chunk';
  readonly audio: Uint8Array<ArrayBuffer>;
  /** The payload as it was on the wire, with the fields that this version does not know. Treat it as read-only. */
  readonly wire: SpeechStreamEvent;
}

/** The first event that names this `chunk_seq`. */
export interface ChunkStartEvent {
  readonly type: 'chunk-start';
  readonly chunk_seq: number;
  /** Seconds from the start of the whole audio. */
  readonly chunk_audio_offset_sec: number;
  readonly content: string;
}

/** A non-null alignment: it replaces what was known of this `chunk_seq`. */
export interface AlignmentUpdateEvent {
  readonly type: 'alignment-update';
  readonly chunk_seq: number;
  /** Seconds from the start of the whole audio; segment times count from here. */
  readonly chunk_audio_offset_sec: number;
  readonly content: string;
  /** Treat it as read-only: segments that did not change are mostly the same objects from snapshot to snapshot. */
  readonly alignment: Alignment;
}

/** The body ended cleanly, at the boundary of an event. Always the last event. */
export interface EndEvent {
  readonly type: 'end';
}

/** An event that `readSpeechEvents` yields. */
export type SpeechEvent = AudioChunkEvent | ChunkStartEvent | AlignmentUpdateEvent | EndEvent;
