import {
  createFixedGain,
  createLeveller,
  createPcmEncoder,
  createVolume,
  defaultJob,
  type EngineOutput,
  engineSampleRate,
  profileForVoice,
  type SpeechPiece,
  synthesize,
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

const english = 'sandbox-alba';
const chinese = 'sandbox-mei';

/** Sound settings; omitted ones have the defaults of the specification. */
export interface HereSettings {
  /** Ids of the sandbox's voices, one per speaker. @defaultValue an English voice, or a Chinese one where the text has Han characters */
  readonly voices?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly speed?: number | undefined;
  readonly volume?: number | undefined;
  readonly temperature?: number | undefined;
}

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
  { voices, model, speed, volume, temperature }: HereSettings = {},
): AsyncIterable<SpeechPiece> {
  const speakers = (voices ?? [/\p{Script=Han}/u.test(text) ? chinese : english]).map(profileForVoice);
  const standard = defaultJob(text, speakers[0] ?? profileForVoice(english));
  const job = {
    ...standard,
    speakers,
    model: model ?? standard.model,
    format: 'pcm',
    sample_rate: sampleRate,
    latency: 'low',
    temperature: temperature ?? standard.temperature,
    prosody: {
      ...standard.prosody,
      speed: speed ?? standard.prosody.speed,
      volume: volume ?? standard.prosody.volume,
    },
  } as const;
  const parts = {
    pool: { speak: (utterance: Utterance) => speakUtterance(utterance, folder, signal) },
    waitAtMost: Number.POSITIVE_INFINITY,
    createOutput: async () => createOutput(job.prosody.normalize_loudness, job.prosody.volume),
  };
  return synthesize(job, parts, { signal });
}

function createOutput(normalizesLoudness: boolean, volume: number) {
  const encoder = createPcmEncoder();
  const louder = createVolume(volume);
  const leveller = normalizesLoudness ? createLeveller() : createFixedGain();
  return {
    leadingSeconds: 0,
    async write(samples: Int16Array) {
      const floats = Float32Array.from(samples, (sample) => sample / 32768);
      leveller.apply(floats);
      louder.apply(floats);
      return encoder.encode(floats);
    },
    end: async () => encoder.finish(),
    free() {},
  };
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
