import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { PassThrough, type Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PQueue from 'p-queue';
import {
  type EngineMessage,
  type EngineOutput,
  engineProtocol,
  SpeechEngineError,
  SpeechOverloadError,
  type Utterance,
} from './protocol.ts';

export interface EnginePoolOptions {
  /** Program and arguments of one engine process. */
  readonly command: readonly string[];
  /** Processes that `ready` starts; others start when they are needed. */
  readonly warm: number;
  /** Maximum number of processes; further utterances wait until one is free. */
  readonly most: number;
  /** Milliseconds an engine may be silent in the middle of an utterance. */
  readonly deadline: number;
  /** Milliseconds a process may take to start. */
  readonly startDeadline: number;
  /**
   * Milliseconds an engine may continue with an utterance that was abandoned, before it is killed. It usually finishes
   * in that time, which costs less than starting another process.
   */
  readonly grace: number;
  /** Maximum number of outputs that an utterance may be ahead of its listener; each holds a tenth of a second. */
  readonly ahead: number;
}

export interface SpeakOptions {
  /** Aborting ends the work on the utterance. */
  readonly signal: AbortSignal;
  /** Milliseconds to wait for an engine. @defaultValue no limit */
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
    const tooLate = new SpeechOverloadError(`No speech engine was free within ${waitAtMost} ms.`);
    const timer = waitAtMost && setTimeout(() => fail(tooLate), waitAtMost);
    const work = async (): Promise<void> => {
      clearTimeout(timer);
      leave = () => {};
      await this.#work(utterance, outputs);
    };
    this.#queue.add(work, { signal: turn.signal }).catch(fail);
    try {
      for await (const output of outputs) {
        // Audio is encoded in this thread, which also answers other requests.
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
    const idle = this.#idle.pop();
    let failure = await this.#say(idle ?? this.#spawn(), utterance, outputs);
    // An idle engine may have ended unnoticed. One new engine is asked, not several: the utterance may be what ends them.
    if (idle !== undefined && failure?.isAnswered === false && !outputs.destroyed) {
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
    let isAnswered = false;
    try {
      await engine.started;
      if (!outputs.destroyed) {
        for await (const output of engine.speak(utterance)) {
          isAnswered = true;
          if (outputs.destroyed) continue;
          if (!outputs.write(output)) await hasRoom(outputs);
        }
      }
    } catch (error) {
      failure = { error: error as Error, isAnswered: isAnswered || !engine.busy };
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
  /** Whether the engine answered the utterance at all, even with a refusal. */
  readonly isAnswered: boolean;
}

/** Settles when the listener has room for more, or has left. */
async function hasRoom(outputs: PassThrough): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  outputs.once('drain', resolve).once('close', resolve);
  await promise;
  outputs.off('drain', resolve).off('close', resolve);
}

const keptErrorCharacters = 2000;

type ProcessOptions = Pick<EnginePoolOptions, 'command' | 'deadline' | 'startDeadline'>;

/** One child process around the speech engine. It says one utterance at a time. */
class EngineProcess {
  /** Settles when the engine can speak, or cannot. */
  readonly started: Promise<void>;
  /** Settles when the process is gone. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #frames: FrameReader;
  readonly #options: ProcessOptions;
  #lastWords = '';
  #utterances = 0;
  #failure: Error | undefined;
  #saying: Utterance | undefined;
  /** The pending read of the next frame. */
  #pendingFrame: Promise<Frame> | undefined;

  constructor(options: ProcessOptions) {
    const [program, ...parameters] = options.command;
    if (program === undefined) throw new TypeError('the engine command is empty');
    this.#options = options;
    this.#child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#frames = new FrameReader(this.#child.stdout);
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-keptErrorCharacters);
    });
    this.#child.on('error', (error) => {
      this.#failure ??= error;
    });
    // If the process has just died, the read that follows the write reports it.
    this.#child.stdin.on('error', () => {});
    this.ended = new Promise((resolve) => {
      this.#child.on('close', () => resolve());
    });
    this.started = this.#start();
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  get busy(): boolean {
    return this.#saying !== undefined;
  }

  /**
   * Says one utterance. The engine works no further ahead than the pipe between the processes holds.
   * Leaving the loop early leaves the process in the middle of its work: it has to be killed then.
   */
  async *speak(utterance: Utterance): AsyncGenerator<EngineOutput, void, undefined> {
    this.#utterances += 1;
    this.#saying = utterance;
    const id = String(this.#utterances);
    const deadline = this.#startDeadline(this.#options.deadline);
    try {
      this.#child.stdin.write(`${JSON.stringify({ type: 'speak', id, ...utterance })}\n`);
      for (;;) {
        const { message, audio } = await this.#next(deadline);
        if (message.type === 'done' || message.type === 'error') this.#saying = undefined;
        if (message.type === 'done') return;
        if (message.type === 'error') {
          throw new SpeechEngineError(`The speech engine refused an utterance: ${message.message}`);
        }
        if (message.type === 'events') yield { type: 'events', events: message.events };
        if (message.type === 'audio') yield { type: 'audio', samples: samplesOf(audio) };
      }
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Ends the process when it is in the middle of this utterance, and not when it has gone on to another. */
  endIfSaying(utterance: Utterance): void {
    if (this.#saying === utterance) this.kill();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
    // Unread output would keep the pipe open, and `ended` from settling.
    this.#child.stdout.destroy();
  }

  async #start(): Promise<void> {
    const deadline = this.#startDeadline(this.#options.startDeadline);
    try {
      const { message } = await this.#next(deadline);
      if (message.type !== 'ready' || message.protocol !== engineProtocol) {
        throw new SpeechEngineError(
          `The speech engine does not speak version ${engineProtocol} of the protocol.`,
        );
      }
    } finally {
      clearTimeout(deadline);
    }
  }

  /** There is one timer per utterance, because there are thousands of frames a second. */
  #startDeadline(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      const frame = this.#pendingFrame;
      // It may be this thread that was late: what lies in the pipe by now is read first, and another wait may begin.
      setImmediate(() => {
        if (frame === undefined || this.#pendingFrame !== frame) return;
        this.#failure ??= new SpeechEngineError(`The speech engine was silent for ${milliseconds} ms.`);
        this.kill();
      });
    }, milliseconds);
  }

  /** The deadline counts from here, and only until the next frame. */
  async #next(deadline: NodeJS.Timeout): Promise<Frame> {
    deadline.refresh();
    this.#pendingFrame = this.#frames.next();
    try {
      return await this.#pendingFrame;
    } catch (error) {
      return await this.#fail(error);
    } finally {
      this.#pendingFrame = undefined;
    }
  }

  /** The end of the pipe is noticed before its reason: waits for the process to be gone, and for its last words. */
  async #fail(error: unknown): Promise<never> {
    this.kill();
    await this.ended;
    if (this.#failure instanceof SpeechEngineError) throw this.#failure;
    const words = this.#lastWords.trim();
    const reason = this.#failure?.message ?? (words === '' ? undefined : words);
    const message = error instanceof Error ? error.message : 'The speech engine failed.';
    throw new SpeechEngineError(reason === undefined ? message : `${message} It said: ${reason}`, {
      cause: error,
    });
  }
}

function samplesOf(bytes: Uint8Array): Int16Array {
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1);
}

/** A message and the PCM that followed it. */
interface Frame {
  readonly message: EngineMessage;
  readonly audio: Uint8Array;
}

const newline = 0x0a;
const nothing = new Uint8Array(0);

/**
 * Reads JSON lines and the PCM between them. It takes from the pipe only what it is asked for, so that
 * a reader who stops asking stops the engine.
 */
class FrameReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #buffer: Uint8Array = nothing;
  #searched = 0;
  /** A message whose PCM has not arrived as a whole. */
  #open: { readonly message: EngineMessage; readonly bytes: number } | undefined;

  constructor(stream: Readable) {
    this.#source = stream[Symbol.asyncIterator]();
  }

  /** @throws SpeechEngineError when the engine ends or breaks its protocol. */
  async next(): Promise<Frame> {
    for (;;) {
      const frame = this.#take();
      if (frame !== undefined) return frame;
      await this.#more();
    }
  }

  /** The next frame, where all of it is there. */
  #take(): Frame | undefined {
    if (this.#open === undefined) {
      const line = this.#line();
      if (line === undefined) return undefined;
      const message = parseMessage(line);
      if (message.type !== 'audio') return { message, audio: nothing };
      this.#open = { message, bytes: message.bytes };
    }
    const { message, bytes } = this.#open;
    if (this.#buffer.length < bytes) return undefined;
    this.#open = undefined;
    // A copy: samples need an even offset, and the pipe's buffer must not live as long as they do.
    const audio = new Uint8Array(this.#buffer.subarray(0, bytes));
    this.#buffer = this.#buffer.subarray(bytes);
    return { message, audio };
  }

  #line(): string | undefined {
    const end = this.#buffer.indexOf(newline, this.#searched);
    if (end < 0) {
      this.#searched = this.#buffer.length;
      return undefined;
    }
    const line = this.#decoder.decode(this.#buffer.subarray(0, end));
    this.#buffer = this.#buffer.subarray(end + 1);
    this.#searched = 0;
    return line;
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#source.next();
    if (done === true) throw new SpeechEngineError('The speech engine ended in the middle of its work.');
    this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value]);
  }
}

function parseMessage(line: string): EngineMessage {
  try {
    return JSON.parse(line) as EngineMessage;
  } catch (cause) {
    throw new SpeechEngineError('The speech engine sent a line that is not JSON.', { cause });
  }
}
