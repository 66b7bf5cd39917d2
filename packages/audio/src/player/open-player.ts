import { type AudioFormat, defaultSampleRates } from '@speech-api/types';
import { createDecoder, type SampleDecoder, type Samples } from '../play/decoders.ts';
import type { Codecs } from '../play/platform.ts';
import { outputDelay } from '../play/playback-queue.ts';
import { Resampler } from './resampler.ts';
import type { LineReport, ToLine } from './sample-line.ts';

/** Options of `openPlayer`. */
export interface OpenPlayerOptions {
  /** Hz. Needed for `pcm`, which has no header. @defaultValue the format's default rate (44100, or 48000 for opus) */
  readonly sampleRate?: number;
  /**
   * The context to play on; it is left open by `close()`.
   *
   * @defaultValue a new `AudioContext` at the rate of the audio, or at the browser's rate where it refuses that one
   */
  readonly audioContext?: AudioContext;
  /** Seconds of audio that may wait before `play` stops reading (more than 0). @defaultValue 20 */
  readonly bufferSeconds?: number;
  /** Where the module of the audio thread is, for pages that must serve it themselves. */
  readonly workletUrl?: string | URL;
}

/** Plays one utterance after the other. */
export interface Player {
  /**
   * Plays the audio of one utterance after those before it. Resolves when all of it is read, which is before it was
   * heard. When reading fails, what came before still plays.
   *
   * @throws what reading throws, and AudioFormatError for bytes of another format.
   */
  play(speech: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * Silences at once, forgets what waits, and stops reading.
   *
   * @returns milliseconds of the current utterance that were heard, the delay of the output subtracted; 0 before it began.
   */
  stop(): number;
  /** Resolves when the last sample of everything given to `play` was heard, or after `stop()`. */
  readonly drained: Promise<void>;
  /** Milliseconds of the current utterance that were heard. */
  readonly playedMilliseconds: number;
  /** Seconds that wait to be heard. */
  readonly bufferedSeconds: number;
  /** How often the sound ran dry inside an utterance. */
  readonly underruns: number;
  /** Milliseconds from a sample's arrival to the ear at best: the start buffer, and the output as far as it is known. */
  readonly latencyMilliseconds: number;
  /** Lets sound begin; call it in the handler of a click or a touch. The first one on the page does so too. */
  unlock(): Promise<void>;
  /** Ends the player and releases the context that it made. */
  close(): Promise<void>;
}

/** The audio thread, as the player talks to it. */
export interface Line {
  post(message: ToLine): void;
  disconnect(): void;
}

/** What the player needs of a browser; handed in so that tests can bring their own. */
export interface PlayerPlatform {
  readonly codecs: Codecs | undefined;
  createContext(sampleRate: number): AudioContext;
  openLine(context: AudioContext, onReport: (report: LineReport) => void): Promise<Line>;
  /** Calls `unlock` at the first click, touch or key; returns how to stop that. */
  onGesture(unlock: () => void): () => void;
}

/** The player on a given platform; `openPlayer` is this on the browser. */
export function openPlayerOn(
  platform: PlayerPlatform,
  format: AudioFormat,
  options: OpenPlayerOptions = {},
): Player {
  const { bufferSeconds = 20, sampleRate = defaultSampleRates[format] } = options;
  const context = options.audioContext ?? platform.createContext(sampleRate);
  /** What is read, and how to end the wait for more of it. */
  const reading = new Map<AsyncIterator<Uint8Array>, () => void>();
  let latest = 0;
  let generation = 0;
  let postedFrames = 0;
  let report: LineReport | undefined;
  let waiters: (() => void)[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  let drained = Promise.resolve();
  let drain: (() => void) | undefined;

  const line = platform.openLine(context, onReport);
  // A player that cannot open says so from `play`.
  line.catch(() => undefined);
  const unlock = async () => {
    if (context.state === 'suspended') await context.resume();
  };
  const forgetGesture = platform.onGesture(() => void unlock().catch(() => undefined));
  unlock().catch(() => undefined);

  function wake(): void {
    const ready = waiters;
    waiters = [];
    for (const resume of ready) resume();
  }

  function onReport(next: LineReport): void {
    if (next.utterance <= generation) return;
    report = next;
    wake();
    if (!next.isEnded || next.utterance !== latest) return;
    // The last samples are still on their way through the output.
    const finished = drain;
    setTimeout(() => finished?.(), outputDelay(context) * 1000);
  }

  const waitingFrames = () => report?.waitingFrames ?? postedFrames;

  /** The next bytes; `stop` answers for a connection that does not. */
  function nextOf(iterator: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve, reject) => {
      reading.set(iterator, () => resolve({ value: undefined, done: true }));
      iterator.next().then(resolve, reject);
    });
  }

  async function play(speech: AsyncIterable<Uint8Array>, utterance: number): Promise<void> {
    const output = await line.catch((error: unknown) => {
      // Nothing will ever be heard.
      generation = latest;
      drain?.();
      throw error;
    });
    if (utterance <= generation) return;
    const iterator = speech[Symbol.asyncIterator]();
    let resampler: Resampler | undefined;
    let failure: Error | undefined;
    const post = (samples: Float32Array) => {
      if (utterance > generation) output.post({ type: 'samples', utterance, samples });
      postedFrames += samples.length;
    };
    const take = ({ channels: [mono = new Float32Array(0)], sampleRate: rate }: Samples) => {
      resampler ??= new Resampler(rate, context.sampleRate);
      post(resampler.push(mono));
    };
    const decoder: SampleDecoder = createDecoder(format, platform, context, sampleRate, take, (error) => {
      failure ??= error;
    });
    try {
      for (;;) {
        const { value, done } = await nextOf(iterator);
        if (utterance <= generation) return;
        if (failure !== undefined) throw failure;
        if (done === true) break;
        await decoder.write(value);
        while (waitingFrames() > bufferSeconds * context.sampleRate && utterance > generation) {
          await new Promise<void>((resolve) => waiters.push(resolve));
        }
      }
      await decoder.end();
      if (failure !== undefined) throw failure;
    } finally {
      reading.delete(iterator);
      if (resampler !== undefined) post(resampler.end());
      // Also after a failure: what came before it is played to its end.
      if (utterance > generation) output.post({ type: 'end', utterance });
      decoder.close();
    }
  }

  function heardFrames(): number {
    // Between two utterances, when one has ended and the next has not begun, nothing of the next was heard.
    if (report === undefined || (report.isEnded && report.utterance !== latest)) return 0;
    const { playedFrames, isPlaying, time } = report;
    const since = isPlaying ? Math.max(0, context.currentTime - time) : 0;
    const behind = report.isEnded
      ? Math.max(0, outputDelay(context) - (context.currentTime - time))
      : outputDelay(context);
    return Math.max(0, playedFrames + (since - behind) * context.sampleRate);
  }

  const player: Player = {
    async play(speech) {
      latest += 1;
      const utterance = latest;
      if (drain === undefined) {
        drained = new Promise((resolve) => {
          drain = () => {
            if (utterance <= generation || latest === report?.utterance) {
              drain = undefined;
              resolve();
            }
          };
        });
      }
      const reads = turn.then(() => play(speech, utterance));
      turn = reads.catch(() => undefined);
      await reads;
    },
    stop() {
      const milliseconds = player.playedMilliseconds;
      generation = latest;
      line.then((output) => output.post({ type: 'clear' })).catch(() => undefined);
      for (const [iterator, endWait] of reading) {
        endWait();
        iterator.return?.().then(undefined, () => undefined);
      }
      reading.clear();
      turn = Promise.resolve();
      report = undefined;
      postedFrames = 0;
      wake();
      drain?.();
      return milliseconds;
    },
    get drained() {
      return drained;
    },
    get playedMilliseconds() {
      return (heardFrames() / context.sampleRate) * 1000;
    },
    get bufferedSeconds() {
      return waitingFrames() / context.sampleRate;
    },
    get underruns() {
      return report?.underruns ?? 0;
    },
    get latencyMilliseconds() {
      return ((report?.startFrames ?? 0) / context.sampleRate + outputDelay(context)) * 1000;
    },
    unlock,
    async close() {
      player.stop();
      forgetGesture();
      await line.then((output) => output.disconnect()).catch(() => undefined);
      if (options.audioContext === undefined && context.state !== 'closed') await context.close();
    },
  };
  return player;
}
