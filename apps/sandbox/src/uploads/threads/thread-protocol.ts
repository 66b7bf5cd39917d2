import type { ClipFacts, HeardFile } from '../clip-facts.ts';

/** What a reading thread is asked, one file at a time. */
export interface ReadRequest {
  /** `hear` for the words, `inspect` for the voice. */
  readonly task: 'hear' | 'inspect';
  readonly bytes: Uint8Array;
  readonly mostSeconds: number;
  /** Path of an `ffmpeg`, where there is one. */
  readonly outsideDecoder: string | undefined;
}

/** Any number of `progress` and `child` replies, then one of the others. */
export type ReadReply =
  | { readonly type: 'progress' }
  | { readonly type: 'child'; readonly pid: number; readonly running: boolean }
  | { readonly type: 'heard'; readonly file: HeardFile }
  | { readonly type: 'inspected'; readonly clip: ClipFacts }
  | { readonly type: 'failed'; readonly message: string };
