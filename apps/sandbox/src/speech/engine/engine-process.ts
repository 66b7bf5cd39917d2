import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { isObject } from '../../values.ts';
import {
  type EngineMessage,
  type EngineOutput,
  engineProtocol,
  SpeechEngineError,
  type Utterance,
} from './protocol.ts';

const keptErrorCharacters = 2000;

/** Maximum silence of an engine process, in milliseconds. */
export interface EngineDeadlines {
  /** While it starts. */
  readonly startDeadline: number;
  /** In the middle of an utterance, while it is waited for. */
  readonly deadline: number;
}

/** One child process around the speech engine. It says one utterance at a time. */
export class EngineProcess {
  /** Settles when the engine can speak, or cannot. */
  readonly started: Promise<void>;
  /** Settles when the process is gone. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #frames: FrameReader;
  readonly #deadlines: EngineDeadlines;
  #lastWords = '';
  #utterances = 0;
  #failure: Error | undefined;
  #saying: Utterance | undefined;
  /** The frame that is waited for. */
  #waiting: Promise<Frame> | undefined;

  constructor(options: EngineDeadlines & { readonly command: readonly string[] }) {
    const [program, ...parameters] = options.command;
    if (program === undefined) throw new TypeError('the engine command is empty');
    this.#deadlines = options;
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

  /** Whether an utterance is in progress. */
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
    const deadline = this.#startDeadline(this.#deadlines.deadline);
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
    const deadline = this.#startDeadline(this.#deadlines.startDeadline);
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

  /** One timer an utterance: there are thousands of frames a second. */
  #startDeadline(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      const waited = this.#waiting;
      // It may be this thread that was late: what lies in the pipe by now is read first, and another wait may begin.
      setImmediate(() => {
        if (waited === undefined || this.#waiting !== waited) return;
        this.#failure ??= new SpeechEngineError(`The speech engine was silent for ${milliseconds} ms.`);
        this.kill();
      });
    }, milliseconds);
  }

  /** The deadline counts from here, and only until the next frame. */
  async #next(deadline: NodeJS.Timeout): Promise<Frame> {
    deadline.refresh();
    this.#waiting = this.#frames.next();
    try {
      return await this.#waiting;
    } catch (error) {
      return await this.#fail(error);
    } finally {
      this.#waiting = undefined;
    }
  }

  /** The end of the pipe is noticed before its reason: waits for the process to be gone, and for its last words. */
  async #fail(error: unknown): Promise<never> {
    this.kill();
    await this.ended;
    if (this.#failure instanceof SpeechEngineError) throw this.#failure;
    const said = this.#lastWords.trim();
    const reason = this.#failure?.message ?? (said === '' ? undefined : said);
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
export interface Frame {
  readonly message: EngineMessage;
  readonly audio: Uint8Array;
}

const newline = 0x0a;
const longestLine = 1 << 20;
const nothing = new Uint8Array(0);

/**
 * Reads JSON lines and the PCM between them. It takes from the pipe only what it is asked for, so that
 * a reader who stops asking stops the engine.
 */
export class FrameReader {
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
      if (this.#searched > longestLine)
        throw new SpeechEngineError('The speech engine sent a line without an end.');
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
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new SpeechEngineError('The speech engine sent a line that is not JSON.', { cause });
  }
  if (!isMessage(value)) throw new SpeechEngineError('The speech engine sent a message of an unknown type.');
  return value;
}

function isMessage(value: unknown): value is EngineMessage {
  if (!isObject(value)) return false;
  switch (value.type) {
    case 'ready':
      return 'protocol' in value && 'sample_rate' in value;
    case 'events':
      return 'events' in value && Array.isArray(value.events);
    case 'audio':
      return 'bytes' in value && typeof value.bytes === 'number' && value.bytes >= 0;
    case 'done':
      return true;
    case 'error':
      return 'message' in value && typeof value.message === 'string';
    default:
      return false;
  }
}
