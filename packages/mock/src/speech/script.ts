import type { Alignment } from '@speech-api/types';

/** What one event of a stream tells, without its audio: that is made in the format asked for. */
export interface Step {
  /** Up to where in the whole audio this event brings the reader, in seconds. */
  readonly audioUntil: number;
  readonly content: string;
  readonly alignment: Alignment | null;
  readonly chunk_seq: number;
  readonly chunk_audio_offset_sec: number;
}

/** What is spoken, event by event. A script of an hour is made while it is read. */
export interface Script {
  readonly steps: Iterable<Step>;
  /** After the last event: nothing, a line that should not be there, or a connection that breaks inside another event. */
  readonly ending: 'clean' | 'marker' | 'broken';
}
