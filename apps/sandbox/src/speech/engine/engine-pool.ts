import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PQueue from 'p-queue';
import { EngineProcess } from './engine-process.ts';
import { type EngineOutput, SpeechEngineError, SpeechOverloadError, type Utterance } from './protocol.ts';

export interface EnginePoolOptions {
  /** Program and arguments of one engine process. */
  readonly command: readonly string[];
  /** Processes that `ready` starts; others start when they are needed. */
  readonly warm: number;
  /** Processes at most; further utterances wait for one to be free. */
  readonly most: number;
  /** Milliseconds an engine may be silent in the middle of an utterance. */
  readonly deadline: number;
  /** Milliseconds a process may take to start. */
  readonly startDeadline: number;
  /**
   * Milliseconds an engine may continue with an utterance that nobody wants any more, before it is killed. It mostly is
   * through with it by then, and starting another process costs more than that.
   */
  readonly grace: number;
  /** Outputs an utterance is ahead of its listener at most; one has a tenth of a second of samples. */
  readonly ahead: number;
}

/** Options for speaking one utterance. */
export interface SpeakOptions {
  /** Aborting ends the work on the utterance. */
  readonly signal: AbortSignal;
  /** Milliseconds to wait for an engine. @defaultValue as long as it takes */
  readonly waitAtMost?: number | undefined;
}

/**
 * Engine processes, and a queue before them in which everybody waits in turn. A process that was killed or has crashed
 * is never used again.
 */
export class EnginePool {
  readonly #options: EnginePoolOptions;
  readonly #queue: PQueue;
  readonly #all = new Set<EngineProcess>();
  readonly #idle: EngineProcess[] = [];
  readonly #closing = new AbortController();

  constructor(options: EnginePoolOptions) {
    this.#options = options;
    this.#queue = new PQueue({ concurrency: options.most });
  }

  /** Process ids of all engines, for tests and diagnosis. */
  get processIds(): number[] {
    return [...this.#all].flatMap((engine) => engine.processId ?? []);
  }

  /** Settles when engines can speak. @throws SpeechEngineError when none can. */
  async ready(): Promise<void> {
    while (this.#all.size < this.#options.warm) this.#idle.push(this.#spawn());
    await Promise.all(this.#idle.map((engine) => engine.started));
  }

  /**
   * Says one utterance on the next free engine, which does not wait for the listener until it is far ahead. Leaving the
   * loop or aborting ends the engine's work.
   *
   * @throws SpeechOverloadError when no engine is free in time
   * @throws SpeechEngineError when the engine fails
   */
  async *speak(
    utterance: Utterance,
    { signal, waitAtMost }: SpeakOptions,
  ): AsyncGenerator<EngineOutput, void, undefined> {
    const outputs = new PassThrough({ objectMode: true, highWaterMark: this.#options.ahead });
    // The loop below throws it; this listener keeps one that comes before the loop from ending the process.
    outputs.on('error', () => {});
    const ending = AbortSignal.any([signal, this.#closing.signal]);
    const turn = new AbortController();
    // Leaves the queue. Work that has begun keeps its place until its engine is free.
    let leave = (reason?: unknown): void => turn.abort(reason);
    const fail = (reason: unknown): void => {
      leave(reason);
      outputs.destroy(reason as Error);
    };
    const onEnding = (): void => fail(ending.reason);
    ending.addEventListener('abort', onEnding, { once: true });
    if (ending.aborted) onEnding();
    const timer = waitAtMost && setTimeout(() => fail(tooManyUtterances(waitAtMost)), waitAtMost);
    const work = async (): Promise<void> => {
      clearTimeout(timer);
      leave = () => {};
      await this.#work(utterance, outputs);
    };
    this.#queue.add(work, { signal: turn.signal }).catch(fail);
    try {
      for await (const output of outputs) {
        // It is encoded in this thread, which has others to answer.
        await nextTurn();
        yield output as EngineOutput;
      }
    } finally {
      ending.removeEventListener('abort', onEnding);
      clearTimeout(timer);
      leave();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new SpeechEngineError('The speech service is closed.'));
    const engines = [...this.#all];
    for (const engine of engines) engine.kill();
    await Promise.all(engines.map((engine) => engine.ended));
  }

  async #work(utterance: Utterance, outputs: PassThrough): Promise<void> {
    if (outputs.destroyed) return;
    const idle = this.#idle.pop();
    let failure = await this.#say(idle ?? this.#spawn(), utterance, outputs);
    // An idle engine may have ended unnoticed. One new engine is asked, not several: the utterance may be what ends them.
    if (idle !== undefined && failure?.answered === false && !outputs.destroyed) {
      failure = await this.#say(this.#spawn(), utterance, outputs);
    }
    if (failure === undefined) outputs.end();
    else outputs.destroy(failure.error);
  }

  /** Fills what lies between an engine and a listener, so that the engine is free as soon as it has spoken. */
  async #say(
    engine: EngineProcess,
    utterance: Utterance,
    outputs: PassThrough,
  ): Promise<Failure | undefined> {
    outputs.once('close', () => {
      setTimeout(() => engine.endIfSaying(utterance), this.#options.grace).unref();
    });
    let failure: Failure | undefined;
    let begun = false;
    try {
      await engine.started;
      for await (const output of engine.speak(utterance)) {
        begun = true;
        if (outputs.destroyed) continue;
        if (!outputs.write(output)) await hasRoom(outputs);
      }
    } catch (error) {
      failure = { error: error as Error, answered: begun || !engine.busy };
    }
    if (engine.busy || !this.#all.has(engine)) this.#retire(engine);
    else this.#idle.push(engine);
    return failure;
  }

  #spawn(): EngineProcess {
    const engine = new EngineProcess(this.#options);
    this.#all.add(engine);
    engine.started.catch(() => this.#retire(engine));
    engine.ended.then(() => this.#retire(engine));
    return engine;
  }

  #retire(engine: EngineProcess): void {
    engine.kill();
    this.#all.delete(engine);
    const index = this.#idle.indexOf(engine);
    if (index >= 0) this.#idle.splice(index, 1);
  }
}

interface Failure {
  readonly error: Error;
  /** Whether the engine had answered to the utterance at all, if only to refuse it. */
  readonly answered: boolean;
}

/** Settles when the listener has taken enough, or has gone. */
async function hasRoom(outputs: PassThrough): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  outputs.once('drain', resolve).once('close', resolve);
  await promise;
  outputs.off('drain', resolve).off('close', resolve);
}

function tooManyUtterances(waited: number): SpeechOverloadError {
  return new SpeechOverloadError(`No speech engine was free within ${waited} ms.`);
}
