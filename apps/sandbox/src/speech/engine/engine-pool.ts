import { EngineProcess } from './engine-process.ts';
import { type EngineOutput, SpeechEngineError, SpeechOverloadError, type Utterance } from './protocol.ts';

export interface EnginePoolOptions {
  /** Program and arguments of one engine process. */
  readonly command: readonly string[];
  /** Processes kept warm. */
  readonly warm: number;
  /** Processes at most; further utterances wait for one to be free. */
  readonly most: number;
  /** Milliseconds an engine may be silent in the middle of an utterance. */
  readonly deadline: number;
  /** Milliseconds a process may take to start. */
  readonly startDeadline: number;
  /** Milliseconds an utterance waits before another process is started for it. */
  readonly patience: number;
  /** Milliseconds after which a process beyond the warm ones ends, when nobody needs it. */
  readonly idle: number;
  /**
   * Milliseconds an engine may go on with an utterance that nobody wants any more, before it is killed. It mostly is
   * through with it by then, and starting another process costs more than that.
   */
  readonly grace: number;
  /** Bytes of samples an utterance is ahead of its listener at most. */
  readonly ahead: number;
  /** Bytes of samples kept over all utterances, beyond which no other one begins. */
  readonly heldAtMost: number;
}

/** How one utterance is spoken. */
export interface SpeakOptions {
  /** Aborting ends the work on the utterance. */
  readonly signal: AbortSignal;
  /** Milliseconds to wait for an engine. @defaultValue as long as it takes */
  readonly waitAtMost?: number | undefined;
}

interface Waiting {
  resolve(engine: EngineProcess): void;
  reject(reason: unknown): void;
}

/**
 * Warm engine processes, and a queue before them in which everybody waits in turn. One that was killed or has crashed
 * is replaced, never reused.
 */
export class EnginePool {
  readonly #options: EnginePoolOptions;
  readonly #all = new Set<EngineProcess>();
  readonly #idle: EngineProcess[] = [];
  readonly #waiting = new Set<Waiting>();
  #impatience: NodeJS.Timeout | undefined;
  #starting = 0;
  #held = 0;
  #closed = false;

  constructor(options: EnginePoolOptions) {
    this.#options = options;
    this.#keepWarm();
  }

  /** Process ids of all engines, for tests and diagnosis. */
  get processIds(): number[] {
    return [...this.#all].flatMap((engine) => engine.processId ?? []);
  }

  /** Settles when an engine can speak. @throws SpeechEngineError when none can. */
  async ready(): Promise<void> {
    this.#offer(await this.#acquire({ signal: new AbortController().signal }));
  }

  /**
   * Says one utterance on the next free engine, which does not wait for the listener. Leaving the loop or aborting
   * ends the engine's work.
   *
   * @throws SpeechOverloadError when no engine is free in time
   * @throws SpeechEngineError when the engine fails
   */
  async *speak(utterance: Utterance, options: SpeakOptions): AsyncGenerator<EngineOutput, void, undefined> {
    const engine = await this.#acquire(options);
    if (options.signal.aborted) {
      this.#offer(engine);
      throw options.signal.reason;
    }
    const buffer = new OutputBuffer(this.#options.ahead, {
      onHeld: (bytes) => this.#onHeld(bytes),
      onLeft: () => setTimeout(() => engine.endIfSaying(utterance), this.#options.grace).unref(),
    });
    void this.#work(engine, utterance, buffer);
    yield* buffer.read(options.signal);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#rejectAll(new SpeechEngineError('The speech service is closed.'));
    const engines = [...this.#all];
    for (const engine of engines) engine.kill();
    await Promise.all(engines.map((engine) => engine.ended));
  }

  async #work(engine: EngineProcess, utterance: Utterance, buffer: OutputBuffer): Promise<void> {
    try {
      for await (const output of engine.speak(utterance)) await buffer.write(output);
      buffer.end();
    } catch (error) {
      buffer.end({ error });
    }
    if (engine.busy) this.#retire(engine);
    else this.#offer(engine);
  }

  #onHeld(bytes: number): void {
    this.#held += bytes;
    if (bytes < 0) this.#dispatch();
  }

  async #acquire({ signal, waitAtMost }: SpeakOptions): Promise<EngineProcess> {
    signal.throwIfAborted();
    if (this.#closed) throw new SpeechEngineError('The speech service is closed.');
    this.#keepWarm();
    const { promise, resolve, reject } = Promise.withResolvers<EngineProcess>();
    const waiting = { resolve, reject };
    const giveUp = (reason: unknown) => {
      // First out of the queue: an engine given to nobody would be lost.
      if (this.#waiting.delete(waiting)) reject(reason);
    };
    const onAbort = () => giveUp(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.add(waiting);
    this.#dispatch();
    const timer =
      waitAtMost !== undefined && this.#waiting.has(waiting)
        ? setTimeout(() => giveUp(tooManyUtterances(waitAtMost)), waitAtMost)
        : undefined;
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Gives free engines to those that have waited longest. */
  #dispatch(): void {
    for (const waiting of this.#waiting) {
      if (this.#held >= this.#options.heldAtMost) break;
      const engine = this.#idle.pop();
      if (engine === undefined) break;
      this.#waiting.delete(waiting);
      waiting.resolve(engine);
    }
    if (this.#waiting.size === 0) {
      clearInterval(this.#impatience);
      this.#impatience = undefined;
    } else this.#impatience ??= setInterval(() => this.#growWhereKeptWaiting(), this.#options.patience);
  }

  #growWhereKeptWaiting(): void {
    this.#dispatch();
    // One at a time: starting costs more than speaking, and makes those that wait wait longer.
    const grow = this.#waiting.size > 0 && this.#idle.length === 0 && this.#starting === 0;
    if (grow && this.#all.size < this.#options.most) this.#spawn();
  }

  #offer(engine: EngineProcess): void {
    if (!this.#all.has(engine)) return;
    this.#idle.push(engine);
    this.#dispatch();
    if (this.#all.size > this.#options.warm)
      setTimeout(() => this.#endSurplus(engine), this.#options.idle).unref();
  }

  #endSurplus(engine: EngineProcess): void {
    if (this.#all.size > this.#options.warm && this.#idle.includes(engine)) this.#retire(engine);
  }

  #retire(engine: EngineProcess): void {
    engine.kill();
    this.#forget(engine);
    this.#keepWarm();
  }

  #keepWarm(): void {
    while (!this.#closed && this.#all.size < this.#options.warm) this.#spawn();
  }

  #spawn(): void {
    const engine = new EngineProcess(this.#options);
    this.#all.add(engine);
    this.#starting += 1;
    engine.started.then(
      () => {
        this.#starting -= 1;
        this.#offer(engine);
        engine.ended.then(() => {
          if (this.#forget(engine)) this.#keepWarm();
        });
      },
      (error: unknown) => {
        this.#starting -= 1;
        engine.kill();
        this.#forget(engine);
        // It would fail again at once: waiting requests fail, and the next request tries again.
        if (this.#all.size === 0) this.#rejectAll(error);
      },
    );
  }

  #rejectAll(reason: unknown): void {
    for (const waiting of this.#waiting) waiting.reject(reason);
    this.#waiting.clear();
    this.#dispatch();
  }

  #forget(engine: EngineProcess): boolean {
    const index = this.#idle.indexOf(engine);
    if (index >= 0) this.#idle.splice(index, 1);
    return this.#all.delete(engine);
  }
}

function tooManyUtterances(waited: number): SpeechOverloadError {
  return new SpeechOverloadError(`No speech engine was free within ${waited} ms.`);
}

/** What a buffer tells its owner. */
export interface OutputBufferListener {
  /** Bytes of samples that are held from now on, or no longer when negative. */
  onHeld(bytes: number): void;
  /** The listener has gone before the end. */
  onLeft(): void;
}

/**
 * Lies between an engine and whoever listens to one utterance, so that the engine is free as soon as it has spoken,
 * however slowly it is listened to. It is bounded: beyond its limit the engine waits after all.
 */
export class OutputBuffer {
  readonly #limit: number;
  readonly #listener: OutputBufferListener;
  #outputs: EngineOutput[] = [];
  #held = 0;
  #end: { readonly error?: unknown } | undefined;
  #left = false;
  #wakeReader = () => {};
  #wakeWriter = () => {};

  /** @param limit bytes of samples after which the writer is to wait */
  constructor(limit: number, listener: OutputBufferListener) {
    this.#limit = limit;
    this.#listener = listener;
  }

  /** Takes one output; what comes after the listener has left is dropped. Settles when there is room for another. */
  async write(output: EngineOutput): Promise<void> {
    if (this.#left) return;
    this.#outputs.push(output);
    this.#hold(sizeOf(output));
    this.#wakeReader();
    if (this.#held < this.#limit) return;
    await new Promise<void>((resolve) => {
      this.#wakeWriter = resolve;
    });
  }

  /** Nothing more comes; with an error, the listener gets it after what there is. */
  end(failure: { readonly error?: unknown } = {}): void {
    this.#end ??= failure;
    this.#wakeReader();
  }

  /** Gives what is there and what comes. For one listener; leaving the loop ends the buffer. */
  async *read(signal: AbortSignal): AsyncGenerator<EngineOutput, void, undefined> {
    const onAbort = () => this.#wakeReader();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        const output = this.#outputs.shift();
        if (output !== undefined) {
          this.#hold(-sizeOf(output));
          if (this.#held < this.#limit) this.#wakeWriter();
          yield output;
        } else if (this.#end === undefined) {
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
        } else {
          if ('error' in this.#end) throw this.#end.error;
          return;
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#leave();
    }
  }

  #leave(): void {
    this.#left = true;
    this.#outputs = [];
    this.#hold(-this.#held);
    this.#wakeWriter();
    if (this.#end === undefined) this.#listener.onLeft();
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    this.#listener.onHeld(bytes);
  }
}

function sizeOf(output: EngineOutput): number {
  return output.type === 'audio' ? output.samples.byteLength : 0;
}
