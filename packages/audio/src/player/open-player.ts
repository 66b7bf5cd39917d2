import { type AudioFormat, defaultSampleRates } from '@speech-api/types';
import { type Codecs, createDecoder, type SampleDecoder } from './decoders.ts';
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
  /**
   * Where the sound goes in place of the context's destination, such as an analyser or a recording. Its context plays.
   */
  readonly output?: AudioNode;
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
  /** Called with each piece of decoded audio (mono, -1 to 1), in order and before it is heard, for drawing or measuring. */
  readonly onSamples?: (samples: Float32Array, sampleRate: number) => void;
  /**
   * Called when audio has waited for 3 s and none of it comes out: the browser waits for a click, or there is no sound device.
   *
   * @defaultValue prints that as a warning
   */
  readonly onSilence?: () => void;
  /** URL of the audio thread's module, for pages that must serve it themselves. */
  readonly workletUrl?: string | URL;
}

const silenceMilliseconds = 3000;
const warnOfSilence = (): void =>
  console.warn(
    'speech player: no sound comes out; the browser waits for a click, or there is no sound device',
  );

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
   * Continues after `pause()`, and lets sound begin or go on where the browser waits for a click: call it in the handler
   * of a click or a touch. Every one on the page does so too.
   */
  resume(): Promise<void>;
  /**
   * Continues from another moment of the latest utterance, also after its end; a paused player stays paused. After
   * `stop()` it does nothing.
   *
   * @param seconds - As `playedMilliseconds` counts them; held within what is decoded.
   * @throws TypeError unless the player was opened with `seekable`, RangeError for `NaN`.
   */
  seek(seconds: number): void;
  /**
   * Silences the output at once, discards waiting audio and stops reading.
   *
   * @returns milliseconds of the current utterance that were heard, the delay of the output subtracted; 0 before it began.
   */
  stop(): number;
  /** Resolves when everything passed to `play` has been heard, or after `stop()`. A seek begins another one. */
  readonly drained: Promise<void>;
  /** Milliseconds of the current utterance that were heard. Only `seek` and the next utterance decrease it. */
  readonly playedMilliseconds: number;
  /** Seconds of the latest utterance that are decoded. */
  readonly decodedSeconds: number;
  /** Seconds that wait to be heard. */
  readonly bufferedSeconds: number;
  /** Number of times playback ran out of audio within an utterance. */
  readonly underruns: number;
  /** Milliseconds from a sample's arrival to the ear at best: the start buffer, and the output as far as it is known. */
  readonly latencyMilliseconds: number;
  /** Ends the player at once, and releases the context that it made. */
  close(): Promise<void>;
}

/** The audio thread, as the player sees it. */
export interface Line {
  post(message: ToLine): void;
  disconnect(): void;
}

/** Browser features that the player needs; injected so that tests can supply their own. */
export interface PlayerPlatform {
  readonly codecs: Codecs | undefined;
  createContext(sampleRate: number): AudioContext;
  openLine(
    context: AudioContext,
    options: OpenPlayerOptions,
    onReport: (report: LineReport) => void,
  ): Promise<Line>;
  /** Calls `unlock` at each click, touch or key; returns how to stop that. */
  onGesture(unlock: () => void): () => void;
}

interface Utterance {
  /** The number of the utterance on the audio thread; each seek gives it a higher one. */
  id: number;
  /** Frames before the first frame that the audio thread has. */
  origin: number;
  /** Number of decoded frames. */
  frames: number;
  /** All decoded audio, if seeking is enabled. */
  readonly history: Float32Array[];
  /** The furthest position heard: the delay that a browser reports wavers, and time does not go back. */
  farthest: number;
  /** True if no more audio follows. */
  isRead: boolean;
}

/** The player on a given platform; `openPlayer` is this on the browser. */
export class QueuePlayer implements Player {
  readonly #platform: PlayerPlatform;
  readonly #format: AudioFormat;
  readonly #options: OpenPlayerOptions;
  readonly #sampleRate: number;
  readonly #context: AudioContext;
  readonly #opening: Promise<void>;
  readonly #forgetGesture: () => void;
  #line: Line | undefined;
  #utterances: Utterance[] = [];
  #latest = 0;
  /** Utterances up to this number are over. */
  #over = 0;
  #report: LineReport | undefined;
  /** Frames sent to the audio thread since its last report. */
  #postedFrames = 0;
  #waiters: (() => void)[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #drained = Promise.resolve();
  #drain: (() => void) | undefined;
  #isPaused = false;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(platform: PlayerPlatform, format: AudioFormat, options: OpenPlayerOptions = {}) {
    this.#platform = platform;
    this.#format = format;
    this.#options = options;
    this.#sampleRate = options.sampleRate ?? defaultSampleRates[format];
    this.#context = callersContext(options) ?? platform.createContext(this.#sampleRate);
    this.#opening = this.#open();
    // A player that cannot open says so from `play`.
    this.#opening.catch(() => undefined);
    const unlock = () => void this.#unlock().catch(() => undefined);
    this.#forgetGesture = platform.onGesture(unlock);
    unlock();
  }

  async play(speech: AsyncIterable<Uint8Array>): Promise<void> {
    this.#latest += 1;
    const start = { origin: 0, frames: 0, history: [], farthest: 0, isRead: false };
    const utterance: Utterance = { id: this.#latest, ...start };
    // Audio of utterances that have ended or were stopped is dropped.
    const first = this.#report?.utterance ?? 0;
    const open = this.#utterances.filter((entry) => !this.#isOver(entry) && entry.id >= first);
    this.#utterances = [...open, utterance];
    this.#expectDrain();
    const reads = this.#turn.then(() => this.#read(speech, utterance));
    this.#turn = reads.catch(() => undefined);
    await reads;
  }

  async pause(): Promise<void> {
    this.#isPaused = true;
    if (this.#context.state !== 'closed') await this.#context.suspend();
  }

  async resume(): Promise<void> {
    this.#isPaused = false;
    if (this.#postedFrames > 0) this.#expectSound();
    await this.#unlock();
  }

  seek(seconds: number): void {
    if (this.#options.seekable !== true)
      throw new TypeError('Only a player opened with { seekable: true } seeks.');
    if (Number.isNaN(seconds)) throw new RangeError('seconds is NaN; give seconds from 0');
    const utterance = this.#utterances.at(-1);
    if (utterance === undefined || this.#isOver(utterance)) return;
    this.#over = this.#latest;
    this.#latest += 1;
    utterance.id = this.#latest;
    // The position is never before the requested moment, where another word may be audible.
    const frames = Math.ceil(seconds * this.#context.sampleRate);
    utterance.origin = Math.min(Math.max(0, frames), utterance.frames);
    utterance.farthest = utterance.origin;
    this.#clear();
    this.#expectDrain();
    let start = 0;
    for (const samples of utterance.history) {
      const skipped = Math.max(0, utterance.origin - start);
      start += samples.length;
      if (start > utterance.origin) this.#post(utterance, samples.subarray(skipped));
    }
    if (utterance.isRead) this.#line?.post({ type: 'end', utterance: utterance.id });
    this.#wake();
  }

  stop(): number {
    // The estimate of this moment: the farthest one would keep what a late report has overrated.
    const { frames = 0 } = this.#heard() ?? {};
    const milliseconds = (frames / this.#context.sampleRate) * 1000;
    this.#over = this.#latest;
    this.#clear();
    this.#turn = Promise.resolve();
    this.#wake();
    this.#drain?.();
    return milliseconds;
  }

  get drained(): Promise<void> {
    return this.#drained;
  }

  get playedMilliseconds(): number {
    const position = this.#heard();
    if (position === undefined) return 0;
    const { utterance, frames } = position;
    utterance.farthest = Math.max(utterance.farthest, frames);
    return (utterance.farthest / this.#context.sampleRate) * 1000;
  }

  get decodedSeconds(): number {
    return (this.#utterances.at(-1)?.frames ?? 0) / this.#context.sampleRate;
  }

  get bufferedSeconds(): number {
    return ((this.#report?.waitingFrames ?? 0) + this.#postedFrames) / this.#context.sampleRate;
  }

  get underruns(): number {
    return this.#report?.underruns ?? 0;
  }

  get latencyMilliseconds(): number {
    const { sampleRate } = this.#context;
    return ((this.#report?.startFrames ?? 0) / sampleRate + outputDelay(this.#context)) * 1000;
  }

  async close(): Promise<void> {
    this.stop();
    this.#forgetGesture();
    // Not awaited: without a sound device, browsers take seconds for it, or for ever.
    void this.#release().catch(() => undefined);
  }

  async #release(): Promise<void> {
    await this.#opening.catch(() => undefined);
    this.#line?.disconnect();
    if (!callersContext(this.#options) && this.#context.state !== 'closed') await this.#context.close();
  }

  async #open(): Promise<void> {
    this.#line = await this.#platform.openLine(this.#context, this.#options, (report) => this.#took(report));
  }

  async #unlock(): Promise<void> {
    // A phone call or a locked screen interrupts the sound in Safari, which waits for the page to go on.
    const isHeld = this.#context.state === 'suspended' || this.#context.state === 'interrupted';
    if (isHeld && !this.#isPaused) await this.#context.resume();
  }

  #isOver({ id }: Utterance): boolean {
    return id <= this.#over;
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #wake(): void {
    const ready = this.#waiters;
    this.#waiters = [];
    for (const resume of ready) resume();
  }

  /** Says so once if the clock of the output stands still. */
  #expectSound(): void {
    clearTimeout(this.#silence);
    const { currentTime } = this.#context;
    this.#silence = setTimeout(() => {
      const isStill = this.#context.currentTime === currentTime && !this.#isPaused;
      if (isStill) (this.#options.onSilence ?? warnOfSilence)();
    }, silenceMilliseconds);
  }

  /** Empties the line. */
  #clear(): void {
    clearTimeout(this.#silence);
    this.#line?.post({ type: 'clear' });
    this.#report = undefined;
    this.#postedFrames = 0;
  }

  #took(report: LineReport): void {
    if (report.utterance <= this.#over) return;
    this.#report = report;
    this.#postedFrames = 0;
    this.#wake();
    if (!report.isEnded) return;
    // The last samples are still on their way through the output.
    setTimeout(() => {
      if (report.utterance === this.#latest) this.#drain?.();
    }, outputDelay(this.#context) * 1000);
  }

  #expectDrain(): void {
    if (this.#drain !== undefined) return;
    this.#drained = new Promise((resolve) => {
      this.#drain = () => {
        this.#drain = undefined;
        resolve();
      };
    });
  }

  #post(utterance: Utterance, samples: Float32Array): void {
    if (this.#report === undefined && this.#postedFrames === 0) this.#expectSound();
    this.#line?.post({ type: 'samples', utterance: utterance.id, samples });
    this.#postedFrames += samples.length;
  }

  #add(utterance: Utterance, samples: Float32Array): void {
    if (this.#isOver(utterance) || samples.length === 0) return;
    this.#options.onSamples?.(samples, this.#context.sampleRate);
    utterance.frames += samples.length;
    if (this.#options.seekable === true) utterance.history.push(samples);
    this.#post(utterance, samples);
  }

  /** The next bytes, or the end where the utterance is over: a connection may never answer. */
  async #nextOf(
    iterator: AsyncIterator<Uint8Array>,
    utterance: Utterance,
  ): Promise<IteratorResult<Uint8Array>> {
    let isWaiting = true;
    const next = iterator.next().finally(() => {
      isWaiting = false;
      this.#wake();
    });
    next.catch(() => undefined);
    while (isWaiting && !this.#isOver(utterance)) await this.#woken();
    return isWaiting ? { value: undefined, done: true } : next;
  }

  async #read(speech: AsyncIterable<Uint8Array>, utterance: Utterance): Promise<void> {
    await this.#opening.catch((error: unknown) => {
      // From here on nothing will be heard.
      this.#over = this.#latest;
      this.#drain?.();
      throw error;
    });
    if (this.#isOver(utterance)) return;
    const iterator = speech[Symbol.asyncIterator]();
    const decoder = this.#decoderFor(utterance);
    try {
      while (!this.#isOver(utterance)) {
        const { value, done } = await this.#nextOf(iterator, utterance);
        if (this.#isOver(utterance)) break;
        if (done === true) {
          await decoder.end();
          break;
        }
        await decoder.write(value);
        await this.#room(utterance, decoder);
      }
    } catch (error) {
      // Earlier audio still plays, including audio held by the decoder.
      if (!this.#isOver(utterance)) await decoder.end().catch(() => undefined);
      throw error;
    } finally {
      iterator.return?.().then(undefined, () => undefined);
      decoder.close();
      utterance.isRead = true;
      if (!this.#isOver(utterance)) this.#line?.post({ type: 'end', utterance: utterance.id });
    }
  }

  /** The decoder of the format, at the rate of the context; an error between two calls is thrown by the next call. */
  #decoderFor(utterance: Utterance): SampleDecoder {
    let resampler: Resampler | undefined;
    let failure: Error | undefined;
    const decoder = createDecoder(
      this.#format,
      this.#platform,
      this.#context,
      this.#sampleRate,
      ({ channels: [mono = new Float32Array(0)], sampleRate }) => {
        resampler ??= new Resampler(sampleRate, this.#context.sampleRate);
        this.#add(utterance, resampler.push(mono));
        this.#wake();
      },
      (error) => {
        failure ??= error;
        this.#wake();
      },
    );
    const check = () => {
      if (failure !== undefined) throw failure;
    };
    return {
      async write(bytes) {
        check();
        await decoder.write(bytes);
      },
      async end() {
        check();
        await decoder.end();
        check();
      },
      close: () => {
        if (resampler !== undefined) this.#add(utterance, resampler.end());
        decoder.close();
      },
      get pendingSeconds() {
        return failure === undefined ? decoder.pendingSeconds : 0;
      },
    };
  }

  /** Resolves when there is room to read more. */
  async #room(utterance: Utterance, decoder: SampleDecoder): Promise<void> {
    const { bufferSeconds = 20 } = this.#options;
    while (!this.#isOver(utterance) && this.bufferedSeconds + decoder.pendingSeconds > bufferSeconds)
      await this.#woken();
  }

  /** The current utterance and its frames that were heard; undefined where there is none. */
  #heard(): { readonly utterance: Utterance; readonly frames: number } | undefined {
    const report = this.#report;
    const newest = this.#utterances.at(-1);
    const utterance =
      report === undefined ? newest : this.#utterances.find(({ id }) => id === report.utterance);
    if (utterance === undefined || this.#isOver(utterance)) return undefined;
    if (report === undefined) return { utterance, frames: utterance.origin };
    // Between two utterances, when one has ended and the next has not begun, nothing of the next was heard.
    if (report.isEnded && utterance !== newest) return undefined;
    const { currentTime, sampleRate } = this.#context;
    const since = Math.max(0, currentTime - report.time);
    const delay = outputDelay(this.#context);
    const seconds = report.isEnded ? -Math.max(0, delay - since) : (report.isPlaying ? since : 0) - delay;
    const frames = report.playedFrames + seconds * sampleRate;
    return { utterance, frames: utterance.origin + Math.max(0, frames) };
  }
}

const callersContext = ({ audioContext, output }: OpenPlayerOptions): AudioContext | undefined =>
  audioContext ?? (output?.context as AudioContext | undefined);

/** Seconds between the context's clock and the listener's ear, as far as the browser knows. */
function outputDelay(context: AudioContext): number {
  // On Linux, Firefox can lock up for good where a page reads `outputLatency` while it sounds.
  if (/Linux.*Firefox/.test(navigator.userAgent)) return 0;
  // Safari has no `outputLatency`, and elsewhere it is 0 until sound has left.
  const { outputLatency, baseLatency } = context as Partial<
    Pick<AudioContext, 'outputLatency' | 'baseLatency'>
  >;
  return outputLatency || baseLatency || 0;
}
