import type { Readable } from 'node:stream';
import { SpeechEngineError } from './engine-error.ts';
import type { EngineMessage } from './protocol.ts';

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
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
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
