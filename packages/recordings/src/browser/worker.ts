// Loaded with the worker and not on demand: bundlers make one plain file of it.
import 'mediabunny';
import '@wasm-audio-decoders/flac';
import 'libopus-wasm';
import 'mpg123-decoder';
import { serveCuts, type ToWorker } from '../worker/serve-cuts.ts';

// Runs in a Web Worker: it reads an untrusted file, and is ended by the page when that takes too long.
await serveCuts(
  {
    post: (message, transfer = []) => globalThis.postMessage(message, { transfer }),
    listen(onMessage) {
      globalThis.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => onMessage(data));
    },
  },
  {},
);
globalThis.close();
