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
  #closed = false;

  constructor(options: EnginePoolOptions) {
    this.#options = options;
    this.#keepWarm();
  }

  /** Process ids of all engines, for tests and diagnosis. */
  get processIds(): number[] {
    return [...this.#all].flatMap((engine) => engine.processId ?? []);
  }

  /** Settles when one engine can speak. @throws SpeechEngineError when none can. */
  async ready(): Promise<void> {
    this.#keepWarm();
    try {
      await Promise.any([...this.#all].map((engine) => engine.started));
    } catch (error) {
      throw error instanceof AggregateError ? (error.errors[0] ?? error) : error;
    }
  }

  /** Says one utterance on the next free engine. Leaving the loop or aborting ends the engine's work at once. */
  async *speak(utterance: Utterance, signal: AbortSignal): AsyncGenerator<EngineOutput, void, undefined> {
    const engine = await this.#acquire(signal);
    let started = false;
    try {
      await engine.started;
      started = true;
      yield* engine.speak(utterance, signal);
    } finally {
      if (started && !engine.busy) this.#release(engine);
      else this.#retire(engine);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#waiting.splice(0))
      waiting.reject(new SpeechEngineError('The speech service is closed.'));
    const engines = [...this.#all];
    for (const engine of engines) engine.kill();
    await Promise.all(engines.map((engine) => engine.ended));
  }

  #acquire(signal: AbortSignal): Promise<EngineProcess> {
    signal.throwIfAborted();
    if (this.#closed) throw new SpeechEngineError('The speech service is closed.');
    const engine = this.#idle.pop();
    if (engine !== undefined) return Promise.resolve(engine);
    if (this.#all.size < this.#options.most) return Promise.resolve(this.#spawn());
    return this.#wait(signal);
  }

  #wait(signal: AbortSignal): Promise<EngineProcess> {
    let onAbort = () => {};
    const free = new Promise<EngineProcess>((resolve, reject) => {
      const waiting = { resolve, reject };
      onAbort = () => {
        const index = this.#waiting.indexOf(waiting);
        if (index >= 0) this.#waiting.splice(index, 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
    });
    return free.finally(() => signal.removeEventListener('abort', onAbort));
  }

  #release(engine: EngineProcess): void {
    if (!this.#all.has(engine)) return;
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) waiting.resolve(engine);
    else if (this.#all.size > this.#options.warm) this.#retire(engine);
    else this.#idle.push(engine);
  }

  #retire(engine: EngineProcess): void {
    engine.kill();
    this.#forget(engine);
    this.#keepWarm();
    const next = this.#waiting.length > 0 && this.#all.size < this.#options.most ? this.#spawn() : undefined;
    if (next !== undefined) this.#waiting.shift()?.resolve(next);
  }

  #spawn(): EngineProcess {
    const engine = new EngineProcess(this.#options.command, this.#options.deadline);
    this.#all.add(engine);
    engine.ended.then(() => {
      const known = this.#forget(engine);
      // One that dies while it starts would die again at once: the next request tries it, not a loop.
      if (known) engine.started.then(() => this.#keepWarm()).catch(() => {});
    });
    return engine;
  }

  #keepWarm(): void {
    if (this.#closed) return;
    while (this.#all.size < this.#options.warm) {
      const waiting = this.#waiting.shift();
      const engine = this.#spawn();
      if (waiting !== undefined) waiting.resolve(engine);
      else this.#idle.push(engine);
    }
  }

  #forget(engine: EngineProcess): boolean {
    const index = this.#idle.indexOf(engine);
    if (index >= 0) this.#idle.splice(index, 1);
    return this.#all.delete(engine);
  }
}
