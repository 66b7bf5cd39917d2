import { defaultSampleRates } from '@speech-api/types';
import { createDecoder, type Samples } from './decoders.ts';
import type { Platform } from './platform.ts';
import { createKeptAudio, createPlaybackQueue, outputDelay, type PlaybackQueue } from './playback-queue.ts';
import type { PlayerOptions, PlayerState, SpeechPlayer } from './types.ts';

/** The player on a given platform; {@link createPlayer} is this on the browser. */
export function createPlayerOn(platform: Platform, options: PlayerOptions): SpeechPlayer {
  const { format, bufferSeconds = 20, startSeconds = 0.15 } = options;
  const sampleRate = options.sampleRate ?? defaultSampleRates[format];
  const context = options.audioContext ?? platform.createContext(sampleRate);
  const events = new EventTarget();
  let isPaused = false;
  // All bytes are decoded; all of it was heard, and may be heard again.
  let isComplete = false;
  let isAtEnd = false;
  let final: 'ended' | 'stopped' | 'failed' | undefined;
  let failure: Error | undefined;
  let announced: PlayerState = 'waiting';
  let waiters: (() => void)[] = [];
  let settle: { resolve(): void; reject(error: Error): void } = { resolve() {}, reject() {} };
  const finished = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Handling `finished` is optional: `write`, `end` and the event also report a failure.
  finished.catch(() => {});

  const kept = options.seekable === true ? createKeptAudio() : undefined;
  let queue = openQueue(0);
  const decoder = createDecoder(format, platform, context, sampleRate, take, fail);
  const unheard = () => queue.total - queue.position;
  // Calls are decoded one after the other, also when the caller does not wait for them.
  let work: Promise<void> = Promise.resolve();

  function openQueue(origin: number): PlaybackQueue {
    const opened: PlaybackQueue = createPlaybackQueue({
      context,
      destination: options.destination ?? context.destination,
      startSeconds,
      origin,
      onProgress,
      // The end of a queue that a seek has replaced does not matter.
      onFinished: () => onFinished(() => opened === queue),
    });
    return opened;
  }

  function take(samples: Samples): void {
    kept?.add(samples);
    options.onSamples?.(samples);
    queue.add(samples);
  }

  function state(): PlayerState {
    if (final !== undefined) return final;
    if (isAtEnd) return 'ended';
    if (isPaused) return 'paused';
    return queue.isPlaying && context.state === 'running' ? 'playing' : 'waiting';
  }

  function announce(): void {
    const current = state();
    if (current === announced) return;
    announced = current;
    events.dispatchEvent(new Event('state-change'));
  }

  function onProgress(): void {
    announce();
    if (final !== undefined || unheard() + decoder.pendingSeconds <= bufferSeconds) {
      const ready = waiters;
      waiters = [];
      for (const resume of ready) resume();
    }
  }

  function onFinished(isCurrent: () => boolean): void {
    // The last samples are still on their way through the output; closing the context now would cut them off.
    setTimeout(() => {
      if (final !== undefined || !isCurrent()) return;
      if (kept === undefined) conclude('ended');
      else reachEnd();
      settle.resolve();
      events.dispatchEvent(new Event('ended'));
      player.onended?.();
    }, outputDelay(context) * 1000);
  }

  /** What is kept may be played again, so nothing is given back; the clock rests. */
  function reachEnd(): void {
    isAtEnd = true;
    context.suspend().catch(() => {});
    onProgress();
  }

  async function seek(seconds: number): Promise<void> {
    if (kept === undefined) throw new TypeError('Only a player made with { seekable: true } seeks.');
    if (final !== undefined) return;
    const from = Math.min(Math.max(seconds, 0), kept.seconds);
    queue.clear();
    queue = openQueue(from);
    isAtEnd = false;
    for (const samples of kept.from(from)) queue.add(samples);
    if (isComplete) queue.finish();
    if (!isPaused) await context.resume();
    // A writer that waited for room may have it now.
    onProgress();
  }

  function fail(error: Error): void {
    if (final !== undefined) return;
    failure = error;
    conclude('failed');
    settle.reject(error);
    events.dispatchEvent(new Event('error'));
  }

  function conclude(how: 'ended' | 'stopped' | 'failed'): void {
    final = how;
    decoder.close();
    queue.clear();
    context.removeEventListener('statechange', announce);
    if (options.audioContext === undefined) context.close().catch(() => {});
    onProgress();
  }

  /** Runs after all earlier work; its failure is the player's. */
  function inTurn(task: () => Promise<void>): Promise<void> {
    work = work.then(async () => {
      if (final !== undefined) return;
      await task().catch(fail);
    });
    return work.then(() => {
      if (failure !== undefined) throw failure;
    });
  }

  context.addEventListener('statechange', announce);
  // Starts the context where the page was clicked already; elsewhere it waits for `resume()` in a click.
  context.resume().catch(() => {});

  const player: SpeechPlayer = {
    get state() {
      return state();
    },
    get currentTime() {
      return state() === 'ended' ? queue.total : queue.position;
    },
    get decodedSeconds() {
      return queue.total;
    },
    get bufferedSeconds() {
      return final === undefined ? unheard() : 0;
    },
    get error() {
      return failure;
    },
    finished,
    onended: null,
    async write(bytes) {
      await inTurn(() => decoder.write(bytes));
      if (final !== undefined || unheard() + decoder.pendingSeconds <= bufferSeconds) return;
      await new Promise<void>((resolve) => waiters.push(resolve));
      if (failure !== undefined) throw failure;
    },
    end: () =>
      inTurn(async () => {
        await decoder.end();
        if (final !== undefined) return;
        isComplete = true;
        queue.finish();
      }),
    async pause() {
      if (final !== undefined) return;
      isPaused = true;
      await context.suspend();
      announce();
    },
    async resume() {
      if (final !== undefined) return;
      isPaused = false;
      await context.resume();
      announce();
    },
    seek,
    async stop() {
      if (final !== undefined) return;
      conclude('stopped');
      settle.resolve();
    },
    addEventListener: (name, listener) => events.addEventListener(name, listener),
    removeEventListener: (name, listener) => events.removeEventListener(name, listener),
  };
  return player;
}
