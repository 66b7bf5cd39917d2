/// <reference lib="webworker" />
// The engine as a worker of a web page, a program of its own: it exchanges the messages of the protocol in README.md
// with the page and nothing else. Only data is fetched, from the folder that the worker is in.

import { type Engine, loadEngine, timedEvents } from '../engine.ts';
import { protocolVersion, type SpeakRequest } from '../protocol.ts';
import createModule from './espeak-ng.js';

const dataFolder = '/usr/share/espeak-ng-data';

const loading = load();
let chinese: Promise<void> | undefined;

/** One request after the other, in the order in which they came. */
let last: Promise<void> = loading.then(
  (engine) => {
    post({ type: 'ready', protocol: protocolVersion, engine: 'espeak-ng', sample_rate: engine.sampleRate });
  },
  (error: unknown) => post({ type: 'error', id: null, message: messageOf(error) }),
);

addEventListener('message', ({ data }: MessageEvent<SpeakRequest>) => {
  last = last.then(() => answer(data));
});

async function answer(request: SpeakRequest): Promise<void> {
  try {
    const engine = await loading;
    if (/^cmn/.test(request.voice)) await addChinese(engine);
    let samples = 0;
    engine.speak(request, (piece, events) => {
      const timed = timedEvents(events);
      if (timed.length > 0) post({ type: 'events', id: request.id, events: timed });
      if (piece.length > 0) {
        const copy = piece.slice();
        post({ type: 'audio', id: request.id, samples: copy }, [copy.buffer]);
      }
      samples += piece.length;
    });
    post({ type: 'done', id: request.id, samples });
  } catch (error) {
    post({ type: 'error', id: request.id, message: messageOf(error) });
  }
}

async function load(): Promise<Engine> {
  const data = await open('english.data.gz');
  return await loadEngine(createModule, {
    print: () => {},
    printErr: () => {},
    getPreloadedPackage: () => data,
  });
}

/** Without its dictionary the engine speaks Chinese wrongly and reports no error, so it is loaded first. */
async function addChinese(engine: Engine): Promise<void> {
  chinese ??= open('chinese.data.gz').then((data) =>
    engine.addFile(`${dataFolder}/cmn_dict`, new Uint8Array(data)),
  );
  try {
    await chinese;
  } catch (error) {
    chinese = undefined;
    throw error;
  }
}

/** Opened here, because not every host says that a file is compressed. */
async function open(name: string): Promise<ArrayBuffer> {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok || response.body === null) throw new Error(`${name} answered ${response.status}`);
  const bytes = await response.arrayBuffer();
  // Some hosts set content-encoding for .gz files, and the browser has opened them already.
  const isCompressed = new Uint8Array(bytes, 0, 2).join() === '31,139';
  if (!isCompressed) return bytes;
  return await new Response(
    new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')),
  ).arrayBuffer();
}

function post(message: object, transfer: Transferable[] = []): void {
  postMessage(message, { transfer });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
