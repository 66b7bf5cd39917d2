import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { SpeechEngineError } from './engine-error.ts';
import { type Frame, FrameReader } from './frame-reader.ts';
import { type EngineOutput, engineProtocol, type Utterance } from './protocol.ts';

const keptErrorCharacters = 2000;

/** One child process around the speech engine. It says one utterance at a time. */
export class EngineProcess {
  /** Settles when the engine can speak, or cannot. */
  readonly started: Promise<void>;
  /** Settles when the process is gone. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #frames: FrameReader;
  readonly #deadline: number;
  #lastWords = '';
  #utterances = 0;
  #failure: Error | undefined;
  #busy = false;

  /** @param deadline milliseconds the engine may be silent while it is waited for */
  constructor(command: readonly string[], deadline: number) {
    const [program, ...parameters] = command;
    if (program === undefined) throw new TypeError('the engine command is empty');
    this.#deadline = deadline;
    this.#child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#frames = new FrameReader(this.#child.stdout);
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-keptErrorCharacters);
    });
    this.#child.on('error', (error) => {
      this.#failure = error;
    });
    // A write to a process that has just died is told by the read that follows it.
    this.#child.stdin.on('error', () => {});
    this.ended = new Promise((resolve) => {
      this.#child.on('close', () => resolve());
    });
    this.started = this.#start();
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  /** Whether an utterance has begun and not come to its end. */
  get busy(): boolean {
    return this.#busy;
  }

  /**
   * Says one utterance. The engine works no further ahead than the pipe between the processes holds.
   * Leaving the loop early leaves the process in the middle of its work: it has to be killed then.
   */
  async *speak(utterance: Utterance, signal: AbortSignal): AsyncGenerator<EngineOutput, void, undefined> {
    this.#utterances += 1;
    const id = String(this.#utterances);
    this.#busy = true;
    this.#child.stdin.write(`${JSON.stringify({ type: 'speak', id, ...utterance })}\n`);
    for (;;) {
      const { message, audio } = await this.#next(signal);
      this.#busy = message.type !== 'done' && message.type !== 'error';
      if (message.type === 'done') return;
      if (message.type === 'error') {
        throw new SpeechEngineError(`The speech engine refused an utterance: ${message.message}`);
      }
      if (message.type === 'events') yield { type: 'events', events: message.events };
      if (message.type === 'audio') yield { type: 'audio', samples: samplesOf(audio) };
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL');
    // What nobody reads any more would keep the pipe open, and `ended` from settling.
    this.#child.stdout.destroy();
  }

  async #start(): Promise<void> {
    const { message } = await this.#next(new AbortController().signal);
    if (message.type !== 'ready' || message.protocol !== engineProtocol) {
      throw new SpeechEngineError(
        `The speech engine does not speak version ${engineProtocol} of the protocol.`,
      );
    }
  }

  async #next(signal: AbortSignal): Promise<Frame> {
    signal.throwIfAborted();
    let timer: NodeJS.Timeout | undefined;
    let onAbort = () => {};
    const interrupted = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new SpeechEngineError(`The speech engine was silent for ${this.#deadline} ms.`));
      }, this.#deadline);
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      const frame = this.#frames.next().catch((error: unknown) => this.#fail(error));
      // Whoever stops waiting for it must not leave a rejection behind.
      frame.catch(() => {});
      return await Promise.race([frame, interrupted]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** The end of the pipe is noticed before its reason: waits for the process to be gone, and for its last words. */
  async #fail(error: unknown): Promise<never> {
    this.kill();
    await this.ended;
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
