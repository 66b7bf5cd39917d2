import { SpeechEngineError } from './engine-error.ts';
import { EngineProcess } from './engine-process.ts';
import type { EngineOutput, Utterance } from './protocol.ts';

export interface EnginePoolOptions {
  /** Program and arguments of one engine process. */
  readonly command: readonly string[];
  /** Processes kept warm. */
  readonly warm: number;
  /** Processes at most; further utterances wait for one to be free. */
  readonly most: number;
  /** Milliseconds an engine may be silent while it is waited for. */
  readonly deadline: number;
  /**
   * Milliseconds an utterance waits before another process is started for it. An engine is through with an
   * utterance sooner than a new one has started, unless its listener is slow.
   */
  readonly patience: number;
  /** Milliseconds after which a process beyond the warm ones ends, when nobody needs it. */
  readonly idle: number;
}

interface Waiting {
  resolve(engine: EngineProcess): void;
  reject(reason: unknown): void;
}

/** Warm engine processes. One that was cancelled or has crashed is replaced, never reused. */
export class EnginePool {
  readonly #options: EnginePoolOptions;
  readonly #all = new Set<EngineProcess>();
  readonly #idle: EngineProcess[] = [];
  readonly #waiting: Waiting[] = [];
  #starting = 0;
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
    this.#offer(await this.#acquire(new AbortController().signal));
  }

  /** Says one utterance on the next free engine. Leaving the loop or aborting ends the engine's work at once. */
  async *speak(utterance: Utterance, signal: AbortSignal): AsyncGenerator<EngineOutput, void, undefined> {
    const engine = await this.#acquire(signal);
    try {
      yield* engine.speak(utterance, signal);
    } finally {
      if (engine.busy) this.#retire(engine);
      else this.#offer(engine);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#rejectAll(new SpeechEngineError('The speech service is closed.'));
    const engines = [...this.#all];
    for (const engine of engines) engine.kill();
    await Promise.all(engines.map((engine) => engine.ended));
  }

  async #acquire(signal: AbortSignal): Promise<EngineProcess> {
    signal.throwIfAborted();
    if (this.#closed) throw new SpeechEngineError('The speech service is closed.');
    this.#keepWarm();
    return this.#idle.pop() ?? this.#wait(signal);
  }

  async #wait(signal: AbortSignal): Promise<EngineProcess> {
    let stopWaiting = () => {};
    const free = new Promise<EngineProcess>((resolve, reject) => {
      const waiting = { resolve, reject };
      const onAbort = () => {
        const index = this.#waiting.indexOf(waiting);
        if (index >= 0) this.#waiting.splice(index, 1);
        reject(signal.reason);
      };
      const timer = setInterval(() => {
        // One at a time: starting costs more than speaking, and makes those that wait wait longer.
        if (this.#starting === 0 && this.#all.size < this.#options.most) this.#spawn();
      }, this.#options.patience);
      stopWaiting = () => {
        clearInterval(timer);
        signal.removeEventListener('abort', onAbort);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
    });
    try {
      return await free;
    } finally {
      stopWaiting();
    }
  }

  /** Gives a free engine to whoever has waited longest. */
  #offer(engine: EngineProcess): void {
    if (!this.#all.has(engine)) return;
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      waiting.resolve(engine);
      return;
    }
    this.#idle.push(engine);
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
    const engine = new EngineProcess(this.#options.command, this.#options.deadline);
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
        // It would fail again at once: whoever waits is told, and the next request tries anew.
        if (this.#all.size === 0) this.#rejectAll(error);
      },
    );
  }

  #rejectAll(reason: unknown): void {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(reason);
  }

  #forget(engine: EngineProcess): boolean {
    const index = this.#idle.indexOf(engine);
    if (index >= 0) this.#idle.splice(index, 1);
    return this.#all.delete(engine);
  }
}
