import { serveCuts, type ToWorker } from '../worker/serve-cuts.ts';

// Runs in a Web Worker: it reads an untrusted file, and is ended by the page when that takes too long. Nothing is awaited
// here: bundlers may make a classic script of it.
serveCuts(
  {
    post: (message, transfer = []) => globalThis.postMessage(message, { transfer }),
    listen(onMessage) {
      globalThis.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => onMessage(data));
    },
  },
  {},
).finally(() => globalThis.close());
