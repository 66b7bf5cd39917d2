import { type AudioFormat, defaultSampleRates } from '@speech-api/types';
import { type Codecs, createDecoder } from './decoders.ts';
import { Resampler } from './resampler.ts';
import type { LineReport, ToLine } from './sample-line.ts';

/** Options of `openPlayer`. */
export interface OpenPlayerOptions {
  /** Hz. Needed for `pcm`, which has no header. @defaultValue the format's default rate (44100, or 48000 for opus) */
  readonly sampleRate?: number;
  /**
   * The context to play on; it is left open by `close()`. `pause()` suspends it, so give each player its own.
   *
   * @defaultValue a new `AudioContext` at the rate of the audio, or at the browser's rate where it refuses that one
   */
  readonly audioContext?: AudioContext;
  /** Seconds of audio that may wait before `play` stops reading (more than 0). @defaultValue 20 */
  readonly bufferSeconds?: number;
  /** Seconds of audio gathered before the first sound; adapts afterwards. @defaultValue 0.12 */
  readonly startSeconds?: number;
  /**
   * Keeps the audio of the latest utterance, so that `seek` works. Costs four bytes a sample: some 10 MB a minute at
   * 44100 Hz.
   *
   * @defaultValue false
   */
  readonly seekable?: boolean;
  /** Called with each piece of decoded audio (mono, -1 to 1), in order and before it is heard: to draw or measure it. */
  readonly onSamples?: (samples: Float32Array, sampleRate: number) => void;
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
  /** Holds the sound. Reading continues until the buffer is full. */
  pause(): Promise<void>;
  /**
   * Continues after `pause()`, and lets sound begin where the browser waits for a click: call it in the handler of a
   * click or a touch. The first one on the page does so too.
   */
  resume(): Promise<void>;
  /**
   * Continues from another moment of the latest utterance, also after its end; a paused player stays paused. After
   * `stop()` it does nothing.
   *
   * @param seconds - As `playedMilliseconds` counts them; held within what is decoded.
   * @throws TypeError unless the player was opened with `seekable`.
   */
  seek(seconds: number): void;
  /**
   * Silences at once, forgets what waits, and stops reading.
   *
   * @returns milliseconds of the current utterance that were heard, the delay of the output subtracted; 0 before it began.
   */
  stop(): number;
  /** Resolves when the last sample of everything given to `play` was heard, or after `stop()`. A seek begins another one. */
  readonly drained: Promise<void>;
  /** Milliseconds of the current utterance that were heard. Only `seek` and the next utterance decrease it. */
  readonly playedMilliseconds: number;
  /** Seconds of the latest utterance that are decoded. */
  readonly decodedSeconds: number;
  /** Seconds that wait to be heard. */
  readonly bufferedSeconds: number;
  /** How often the sound ran dry inside an utterance. */
  readonly underruns: number;
  /** Milliseconds from a sample's arrival to the ear at best: the start buffer, and the output as far as it is known. */
  readonly latencyMilliseconds: number;
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
  openLine(
    context: AudioContext,
    startSeconds: number | undefined,
    onReport: (report: LineReport) => void,
  ): Promise<Line>;
  /** Calls `unlock` at the first click, touch or key; returns how to stop that. */
  onGesture(unlock: () => void): () => void;
}

interface Utterance {
  /** The line knows it by this number; a seek gives it a higher one. */
  id: number;
  /** Frames before the first that the line has. */
  origin: number;
  /** Frames that are decoded. */
  frames: number;
  /** All of these, where seeking was asked for. */
  readonly history: Float32Array[];
  /** The farthest that was heard: the delay that a browser reports wavers, and time does not go back. */
  farthest: number;
  /** Nothing follows. */
  isRead: boolean;
}

/** The player on a given platform; `openPlayer` is this on the browser. */
export function openPlayerOn(
  platform: PlayerPlatform,
  format: AudioFormat,
  options: OpenPlayerOptions = {},
): Player {
  const { bufferSeconds = 20, sampleRate = defaultSampleRates[format], seekable = false } = options;
  const context = options.audioContext ?? platform.createContext(sampleRate);
  /** What is read, and how to end the wait for more of it. */
  const reading = new Map<AsyncIterator<Uint8Array>, () => void>();
  const utterances: Utterance[] = [];
  let latest = 0;
  /** Utterances up to this number are over. */
  let generation = 0;
  /** Frames that the line got since its last report. */
  let postedFrames = 0;
  let report: LineReport | undefined;
  let waiters: (() => void)[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  let drained = Promise.resolve();
  let drain: (() => void) | undefined;
  let output: Line | undefined;
  let isPaused = false;

  const line = platform.openLine(context, options.startSeconds, onReport).then((opened) => {
    output = opened;
  });
  // A player that cannot open says so from `play`.
  line.catch(() => undefined);
  const unlock = async () => {
    if (context.state === 'suspended' && !isPaused) await context.resume();
  };
  const forgetGesture = platform.onGesture(() => void unlock().catch(() => undefined));
  unlock().catch(() => undefined);

  const isOver = ({ id }: Utterance) => id <= generation;
  const waitingFrames = () => (report?.waitingFrames ?? 0) + postedFrames;

  function wake(): void {
    const ready = waiters;
    waiters = [];
    for (const resume of ready) resume();
  }

  function onReport(next: LineReport): void {
    if (next.utterance <= generation) return;
    report = next;
    postedFrames = 0;
    wake();
    if (!next.isEnded || next.utterance !== latest) return;
    // The last samples are still on their way through the output.
    setTimeout(() => {
      if (next.utterance === latest) drain?.();
    }, outputDelay(context) * 1000);
  }

  function expectDrain(): void {
    if (drain !== undefined) return;
    drained = new Promise((resolve) => {
      drain = () => {
        drain = undefined;
        resolve();
      };
    });
  }

  function post(utterance: Utterance, samples: Float32Array): void {
    output?.post({ type: 'samples', utterance: utterance.id, samples });
    postedFrames += samples.length;
  }

  function add(utterance: Utterance, samples: Float32Array): void {
    if (isOver(utterance) || samples.length === 0) return;
    options.onSamples?.(samples, context.sampleRate);
    utterance.frames += samples.length;
    if (seekable) utterance.history.push(samples);
    post(utterance, samples);
  }

  /** The next bytes; `stop` answers for a connection that does not. */
  function nextOf(iterator: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve, reject) => {
      reading.set(iterator, () => resolve({ value: undefined, done: true }));
      iterator.next().then(resolve, reject);
    });
  }

  async function read(speech: AsyncIterable<Uint8Array>, utterance: Utterance): Promise<void> {
    await line.catch((error: unknown) => {
      // Nothing will ever be heard.
      generation = latest;
      drain?.();
      throw error;
    });
    if (isOver(utterance)) return;
    const iterator = speech[Symbol.asyncIterator]();
    let resampler: Resampler | undefined;
    let failure: Error | undefined;
    const decoder = createDecoder(
      format,
      platform,
      context,
      sampleRate,
      ({ channels: [mono = new Float32Array(0)], sampleRate: rate }) => {
        resampler ??= new Resampler(rate, context.sampleRate);
        add(utterance, resampler.push(mono));
        wake();
      },
      (error) => {
        failure ??= error;
        wake();
      },
    );
    const isFull = () => waitingFrames() / context.sampleRate + decoder.pendingSeconds > bufferSeconds;
    try {
      for (;;) {
        const { value, done } = await nextOf(iterator);
        if (isOver(utterance)) return;
        if (failure !== undefined) throw failure;
        if (done === true) break;
        await decoder.write(value);
        while (isFull() && !isOver(utterance) && failure === undefined) {
          await new Promise<void>((resolve) => waiters.push(resolve));
        }
      }
      await decoder.end();
      if (failure !== undefined) throw failure;
    } catch (error) {
      // What came before is still heard, also what the decoder holds.
      if (!isOver(utterance) && failure === undefined) await decoder.end().catch(() => undefined);
      throw error;
    } finally {
      reading.delete(iterator);
      if (resampler !== undefined) add(utterance, resampler.end());
      // Also after a failure: what came before it is played to its end.
      utterance.isRead = true;
      if (!isOver(utterance)) output?.post({ type: 'end', utterance: utterance.id });
      decoder.close();
    }
  }

  function heardFrames(): number {
    const newest = utterances.at(-1);
    const utterance = report === undefined ? newest : utterances.find(({ id }) => id === report?.utterance);
    if (utterance === undefined || isOver(utterance)) return 0;
    if (report === undefined) return utterance.farthest;
    // Between two utterances, when one has ended and the next has not begun, nothing of the next was heard.
    if (report.isEnded && utterance !== newest) return 0;
    const { playedFrames, isPlaying, isEnded, time } = report;
    const since = Math.max(0, context.currentTime - time);
    const delay = outputDelay(context);
    const seconds = isEnded ? -Math.max(0, delay - since) : (isPlaying ? since : 0) - delay;
    const heard = utterance.origin + playedFrames + seconds * context.sampleRate;
    utterance.farthest = Math.max(utterance.farthest, heard);
    return utterance.farthest;
  }

  const player: Player = {
    async play(speech) {
      latest += 1;
      const utterance: Utterance = {
        id: latest,
        origin: 0,
        frames: 0,
        history: [],
        farthest: 0,
        isRead: false,
      };
      // Those that were heard are over; their audio is not kept.
      utterances.splice(
        0,
        utterances.findIndex(({ id }) => id >= (report?.utterance ?? 0)),
      );
      utterances.push(utterance);
      expectDrain();
      const reads = turn.then(() => read(speech, utterance));
      turn = reads.catch(() => undefined);
      await reads;
    },
    async pause() {
      isPaused = true;
      if (context.state !== 'closed') await context.suspend();
    },
    async resume() {
      isPaused = false;
      await unlock();
    },
    seek(seconds) {
      if (!seekable) throw new TypeError('Only a player opened with { seekable: true } seeks.');
      const utterance = utterances.at(-1);
      if (utterance === undefined || isOver(utterance)) return;
      generation = latest;
      latest += 1;
      utterance.id = latest;
      // Never before the moment that was asked for, where another word may still be heard.
      utterance.origin = Math.min(Math.max(0, Math.ceil(seconds * context.sampleRate)), utterance.frames);
      utterance.farthest = utterance.origin;
      report = undefined;
      postedFrames = 0;
      expectDrain();
      output?.post({ type: 'clear' });
      let start = 0;
      for (const samples of utterance.history) {
        const skipped = Math.max(0, utterance.origin - start);
        start += samples.length;
        if (start > utterance.origin) post(utterance, samples.subarray(skipped));
      }
      if (utterance.isRead) output?.post({ type: 'end', utterance: utterance.id });
      wake();
    },
    stop() {
      const milliseconds = player.playedMilliseconds;
      generation = latest;
      output?.post({ type: 'clear' });
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
    get decodedSeconds() {
      return (utterances.at(-1)?.frames ?? 0) / context.sampleRate;
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
    async close() {
      player.stop();
      forgetGesture();
      await line.then(() => output?.disconnect()).catch(() => undefined);
      if (options.audioContext === undefined && context.state !== 'closed') await context.close();
    },
  };
  return player;
}

/** Seconds between the context's clock and the listener's ear, as far as the browser knows. */
function outputDelay(context: AudioContext): number {
  // Safari has no `outputLatency`, and elsewhere it is 0 until sound has left.
  const { outputLatency, baseLatency } = context as Partial<
    Pick<AudioContext, 'outputLatency' | 'baseLatency'>
  >;
  return outputLatency || baseLatency || 0;
}
