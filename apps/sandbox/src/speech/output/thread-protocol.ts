import type { OutputSettings } from './output.ts';

/** What the main thread asks; `stream` is a number of its own choosing, one an answer that is being made. */
export type ThreadRequest =
  | { readonly type: 'open'; readonly stream: number; readonly settings: OutputSettings }
  | {
      readonly type: 'write';
      readonly stream: number;
      readonly samples: Int16Array;
      readonly decibels: number;
    }
  | { readonly type: 'end'; readonly stream: number }
  | { readonly type: 'free'; readonly stream: number };

/** One an answer to `open`, `write` and `end`, in their order within a stream; `free` has none. */
export type ThreadReply =
  | { readonly type: 'opened'; readonly stream: number; readonly leadingSeconds: number }
  | { readonly type: 'bytes'; readonly stream: number; readonly bytes: Uint8Array }
  | { readonly type: 'failed'; readonly stream: number; readonly message: string };
