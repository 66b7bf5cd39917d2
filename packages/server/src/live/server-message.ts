import { encode } from '@msgpack/msgpack';

/** What a server of a live session sends. */
export type LiveServerMessage =
  | { readonly event: 'audio'; readonly audio: Uint8Array }
  | { readonly event: 'finish'; readonly reason: 'stop' | 'error'; readonly message?: string }
  | { readonly event: 'error'; readonly error: string; readonly max_concurrency?: number };

/** One frame. */
export function encodeLiveMessage(message: LiveServerMessage): Uint8Array {
  return encode(message);
}
