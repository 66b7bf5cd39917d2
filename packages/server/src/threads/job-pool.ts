// As a whole: an older Node lacks one of its names, and must get as far as the check of its version.
import workerThreads, { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { overloadHeaders, Refusal } from '../refusal.ts';

/** Resource limits of one job. */
export interface JobLimits {
  /** Milliseconds from its start to its result. @defaultValue no limit */
  readonly deadline?: number;
  /** Milliseconds of processor time of its thread. @defaultValue no limit */
  readonly processorTime?: number;
  /** Aborting ends the job. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each process that the job has started. */
  readonly onChild?: (pid: number) => void;
}

/** A job was ended because it used up one of its limits. */
export class JobLimitError extends Error {
  override readonly name = 'JobLimitError';
}

/** Argument of a pool's program. */
export interface Job<Task> {
  readonly task: Task;
  /** Closed when the job ends. */
  readonly control: MessagePort;
}

/** Reports of a job: first its start, then each process that has to end with it. */
export type JobReport =
  | { readonly type: 'started'; readonly threadId: number }
  | { readonly type: 'child'; readonly pid: number; readonly running: boolean };

export interface JobPoolOptions {
  /** Address of the module whose export `doJob` does one job. */
  readonly program: URL;
  /** Jobs done at a time; the others wait in turn. No thread is started before the first job. */
  readonly threads: number;
  /** Milliseconds that a job waits for its start: for those before it, and for its thread to load. @defaultValue 60 000 */
  readonly waitMilliseconds?: number;
  /** Milliseconds without a job after which all threads end and give their memory back. @defaultValue they are kept */
  readonly idleMilliseconds?: number;
  /** JavaScript's own memory in a thread; bytes and samples are outside of it. @defaultValue 256 */
  readonly heapMegabytes?: number;
}

const usualHeapMegabytes = 256;
const usualWaitMilliseconds = 60_000;
const watchInterval = 50;

/** Does jobs in threads, one at a time in each. A job that reaches a limit is ended together with its thread, whatever it is doing. */
export class JobPool<Task, Result> {
  readonly #options: JobPoolOptions;
  #started: Promise<Piscina<Job<Task>, Result>> | undefined;
  #jobs = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: JobPoolOptions) {
    this.#options = options;
  }

  /** Loaded on the first job: a server that never has one starts sooner. */
  async #start(): Promise<Piscina<Job<Task>, Result>> {
    const { Piscina } = await import('piscina');
    const { program, threads, heapMegabytes = usualHeapMegabytes } = this.#options;
    return new Piscina({
      filename: program.href,
      // Not the default export: Node aborts the whole process when a thread ends while `require` wraps a module that has one.
      name: 'doJob',
      // With fewer, a thread that was ended is not replaced, and the jobs in the queue wait forever.
      minThreads: threads,
      maxThreads: threads,
      // A thread that waits by Atomics.wait could not finish what its decoders do in the background.
      atomics: 'disabled',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
  }

  /**
   * @param transferred memory of the task that moves to the thread instead of being copied
   * @throws JobLimitError when the job reaches a limit, and what the job throws
   * @throws Refusal `overloaded` when it has waited too long for its start
   */
  async run(
    task: Task,
    limits: JobLimits = {},
    transferred: readonly (ArrayBuffer | MessagePort)[] = [],
  ): Promise<Result> {
    limits.signal?.throwIfAborted();
    clearTimeout(this.#idle);
    this.#jobs += 1;
    this.#started ??= this.#start();
    try {
      return await this.#runIn(await this.#started, task, limits, transferred);
    } finally {
      this.#jobs -= 1;
      const { idleMilliseconds } = this.#options;
      if (this.#jobs === 0 && idleMilliseconds !== undefined) {
        this.#idle = setTimeout(() => void this.close(), idleMilliseconds).unref();
      }
    }
  }

  async #runIn(
    pool: Piscina<Job<Task>, Result>,
    task: Task,
    limits: JobLimits,
    transferred: readonly (ArrayBuffer | MessagePort)[],
  ): Promise<Result> {
    limits.signal?.throwIfAborted();
    const ending = new AbortController();
    const { port1: reports, port2: control } = new MessageChannel();
    const children = new Set<number>();
    const { waitMilliseconds = usualWaitMilliseconds } = this.#options;
    const waiting = setTimeout(() => {
      const message = `The server had no room for the work within ${waitMilliseconds / 1000} s; try again later.`;
      ending.abort(new Refusal('overloaded', { message, headers: overloadHeaders }));
    }, waitMilliseconds);
    let stopWatching = (): void => clearTimeout(waiting);
    reports.on('message', (report: JobReport) => {
      if (report.type === 'started') {
        clearTimeout(waiting);
        stopWatching = watch(pool, report.threadId, limits, ending);
      } else {
        children[report.running ? 'add' : 'delete'](report.pid);
        if (report.running) limits.onChild?.(report.pid);
      }
    });
    const onAbort = (): void => ending.abort(limits.signal?.reason);
    limits.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const options = { signal: ending.signal, transferList: [control, ...transferred] };
      return await pool.run({ task, control }, options);
    } catch (error) {
      // The pool has an error of its own for what was aborted.
      throw ending.signal.aborted ? ending.signal.reason : error;
    } finally {
      stopWatching();
      limits.signal?.removeEventListener('abort', onAbort);
      reports.close();
      for (const pid of children) endProcess(pid);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const started = this.#started;
    this.#started = undefined;
    await (await started)?.destroy();
  }
}

/** Looks at the clocks from outside: a thread that is stuck in a loop cannot look at its own. */
function watch(
  { threads }: Pick<Piscina, 'threads'>,
  threadId: number,
  limits: JobLimits,
  ending: AbortController,
): () => void {
  const { deadline = Number.POSITIVE_INFINITY, processorTime = Number.POSITIVE_INFINITY } = limits;
  const thread = threads.find((each) => each.threadId === threadId);
  const started = performance.now();
  let before: number | undefined;
  const timer = setInterval(async () => {
    if (performance.now() - started > deadline) {
      ending.abort(new JobLimitError(`The job took more than ${deadline} ms.`));
    }
    const used = await processorTimeOf(thread);
    if (used === undefined) return;
    before ??= used;
    if (used - before > processorTime) {
      ending.abort(new JobLimitError(`The job used more than ${processorTime} ms of processor time.`));
    }
  }, watchInterval);
  return () => clearInterval(timer);
}

/** Milliseconds that a thread has used since it started; `undefined` when it has ended. */
async function processorTimeOf(thread: Worker | undefined): Promise<number | undefined> {
  const used = await thread?.cpuUsage().catch(() => undefined);
  return used && (used.user + used.system) / 1000;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** The address of a module beside the one that asks: the source in tests, the build otherwise. */
export function programBeside(importer: string, name: string): URL {
  return new URL(`${name}${importer.endsWith('.ts') ? '.ts' : '.js'}`, importer);
}

/** The memory of all bytes in a value, each once; small ones share memory that cannot move and are copied. */
export function movableBuffersIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (value instanceof Uint8Array) {
    if (value.buffer instanceof ArrayBuffer && !workerThreads.isMarkedAsUntransferable(value.buffer))
      found.add(value.buffer);
  } else if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) movableBuffersIn(child, found);
  }
  return found;
}
