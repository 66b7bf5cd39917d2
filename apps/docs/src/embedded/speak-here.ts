import {
  type EngineOutput,
  engineSampleRate,
  type PageSettings,
  type SpeechPiece,
  speakInPage,
  type TimedEvent,
  type Utterance,
} from '@speech-api/sandbox/browser';

/** Hz, of the audio of {@link speakHere}. */
export const sampleRate = engineSampleRate;

/** Messages from the worker, in the engine's protocol; here, `audio` carries its samples. */
type EngineMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'events'; readonly id: string; readonly events: readonly TimedEvent[] }
  | { readonly type: 'audio'; readonly id: string; readonly samples: Int16Array }
  | { readonly type: 'done'; readonly id: string }
  | { readonly type: 'error'; readonly id: string | null; readonly message: string };

let engine: Worker | undefined;
let utterances = 0;

/**
 * Speaks a text in the page itself, by the engine and the modules of the sandbox: pcm of {@link sampleRate}, 16 bit,
 * mono, with the words and their times. The engine is loaded by the first call.
 *
 * @param folder address of the engine's files, with a slash at the end
 */
export function speakHere(
  text: string,
  folder: string,
  signal: AbortSignal,
  settings: PageSettings = {},
): AsyncIterable<SpeechPiece> {
  const speak = (utterance: Utterance) => speakUtterance(utterance, folder, signal);
  return speakInPage(text, settings, speak, signal);
}

/** Ends the engine, and with it every utterance that waits for it. */
function endEngine(worker: Worker, message: string): void {
  worker.terminate();
  if (engine === worker) engine = undefined;
  worker.dispatchEvent(new MessageEvent('message', { data: { type: 'error', id: null, message } }));
}

function startEngine(folder: string): Worker {
  const worker = new Worker(`${folder}worker.js`, { type: 'module' });
  worker.addEventListener('error', () => {
    endEngine(worker, 'the voice could not be loaded; it needs a network when it is first used.');
  });
  return worker;
}

/** One utterance of the engine. It cannot be paused or cancelled, so an abort ends the worker. */
async function* speakUtterance(
  utterance: Utterance,
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<EngineOutput, void, undefined> {
  signal.throwIfAborted();
  engine ??= startEngine(folder);
  const worker = engine;
  utterances += 1;
  const id = String(utterances);
  const listening = new AbortController();
  const messages = new ReadableStream<EngineMessage>({
    start(controller) {
      const take = ({ data }: MessageEvent<EngineMessage>): void => {
        if ('id' in data && (data.id === id || data.id === null)) controller.enqueue(data);
      };
      worker.addEventListener('message', take, { signal: listening.signal });
    },
  });
  const reader = messages.getReader();
  signal.addEventListener('abort', () => endEngine(worker, 'the voice was stopped.'), {
    signal: listening.signal,
  });
  try {
    worker.postMessage({ type: 'speak', id, ...utterance });
    for (;;) {
      const { value: message } = await reader.read();
      signal.throwIfAborted();
      if (message === undefined || message.type === 'done') return;
      if (message.type === 'error') {
        endEngine(worker, message.message);
        throw new Error(message.message);
      }
      if (message.type !== 'ready') yield message;
    }
  } finally {
    listening.abort();
  }
}
