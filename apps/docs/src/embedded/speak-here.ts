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
import { requireWords, whyNotLoaded } from './voice-limits.ts';

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

/** A worker, and what makes each utterance fail that waits for it. */
interface Engine {
  readonly worker: Worker;
  readonly waiting: Set<(reason: unknown) => void>;
}

let engine: Engine | undefined;
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
  requireWords(text);
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

/** Ends an engine, and with it every utterance that waits for it. */
function end(ended: Engine, reason: unknown): void {
  ended.worker.terminate();
  if (engine === ended) engine = undefined;
  for (const fail of ended.waiting) fail(reason);
}

/**
 * One utterance of the engine. It cannot be paused or cancelled, so an abort ends the worker, unless another utterance
 * waits for it.
 */
async function* speakUtterance(
  utterance: Utterance,
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<EngineOutput, void, undefined> {
  signal.throwIfAborted();
  engine ??= { worker: new Worker(`${folder}worker.js`, { type: 'module' }), waiting: new Set() };
  const speaking = engine;
  const { worker, waiting } = speaking;
  utterances += 1;
  const id = String(utterances);
  const arrived: EngineMessage[] = [];
  let failure: unknown;
  let wake = () => {};
  const onMessage = ({ data }: MessageEvent<EngineMessage>): void => {
    if (!('id' in data) || (data.id !== id && data.id !== null)) return;
    arrived.push(data);
    wake();
  };
  const fail = (reason: unknown): void => {
    failure = reason;
    wake();
  };
  const onError = () => end(speaking, new Error(whyNotLoaded()));
  const onAbort = () => (waiting.size > 1 ? fail(signal.reason) : end(speaking, signal.reason));
  waiting.add(fail);
  worker.addEventListener('message', onMessage);
  worker.addEventListener('error', onError);
  signal.addEventListener('abort', onAbort);
  try {
    worker.postMessage({ type: 'speak', id, ...utterance });
    for (;;) {
      const message = arrived.shift();
      if (failure !== undefined) throw failure;
      if (message === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if (message.type === 'done') {
        return;
      } else if (message.type === 'error') {
        end(speaking, new Error(message.message));
      } else if (message.type !== 'ready') {
        yield message;
      }
    }
  } finally {
    waiting.delete(fail);
    worker.removeEventListener('message', onMessage);
    worker.removeEventListener('error', onError);
    signal.removeEventListener('abort', onAbort);
  }
}
