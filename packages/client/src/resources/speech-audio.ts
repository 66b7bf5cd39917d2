import type { AudioFormat } from '@speech-api/types';
import type { Call } from '../core/call.ts';
import { joinBytes, readPieces } from '../core/read-body.ts';
import { type ProtocolError, protocolError } from '../errors/protocol-error.ts';

/** Below this many bytes a clip is looked at more closely; no format can say a word in so few. */
const suspiciousBytes = 4096;

/** The first byte of each format; an mp3 may begin with a tag, or with silence that an encoder pads with. */
const firstBytes: Partial<Record<AudioFormat, readonly number[]>> = {
  wav: [0x52],
  opus: [0x4f],
  mp3: [0xff, 0x49, 0x00],
};

/** How much of a body may be held in memory. */
export interface HoldOptions {
  /** A longer body is an error, and its connection is closed. @defaultValue 1073741824 (1 GiB) */
  readonly maximumBytes?: number;
}

/** What an audio answer is about. */
export interface SpeechAudioContext {
  readonly call: Call;
  readonly response: Response;
  readonly format: AudioFormat;
  /** Whether the text has anything that can be spoken, so that an empty clip is wrong. */
  readonly speakable: boolean;
}

/**
 * Audio as it arrives. It can be read once: by iterating, or through `body`, `bytes()` or `blob()`.
 *
 * Nothing is read ahead: the service sends as fast as the audio is taken. Audio that is not wanted any more must be
 * left (`break`), cancelled or read to its end, for until then its connection is held.
 */
export class SpeechAudio implements AsyncIterable<Uint8Array> {
  /** The format that was asked for. */
  readonly format: AudioFormat;
  /** The media type as the service names it, such as `audio/mpeg`. */
  readonly contentType: string;
  /** The trace id of the call: 32 hex digits. */
  readonly traceId: string | undefined;

  readonly #context: SpeechAudioContext;
  #taken = false;

  constructor(context: SpeechAudioContext) {
    this.#context = context;
    this.format = context.format;
    this.contentType = context.response.headers.get('content-type') ?? 'application/octet-stream';
    this.traceId = context.call.traceId;
  }

  /** The headers of the answer. */
  get headers(): Headers {
    return this.#context.response.headers;
  }

  /**
   * The pieces of the audio in order, as they arrive; where one ends means nothing. Leaving the loop ends the call.
   *
   * @throws `ProtocolError` for bytes of another format, and at the end of an empty clip or of half a sample,
   * `ConnectionError` when the body is cut,
   * `TimeoutError` when it hangs, `AbortError` by the caller's signal, `TypeError` when it was read before.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#taken) throw new TypeError('this audio is being read or has been read; it can be read once');
    this.#taken = true;
    return this.#read();
  }

  /** The audio as a web stream; reading it throws what iterating throws. */
  get body(): ReadableStream<Uint8Array> {
    const pieces = this[Symbol.asyncIterator]();
    return new ReadableStream({
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => this.cancel(),
    });
  }

  /** All of the audio, held in memory. @throws what iterating throws, and `ProtocolError` for too much of it. */
  async bytes({ maximumBytes = 2 ** 30 }: HoldOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this) {
      pieces.push(piece);
      length += piece.length;
      if (length > maximumBytes) throw this.#protocolError(`the audio is larger than ${maximumBytes} bytes`);
    }
    return joinBytes(pieces, length);
  }

  /** All of the audio as a `Blob` of its media type, for an `audio` element or an upload. @throws what `bytes` throws. */
  async blob(options?: HoldOptions): Promise<Blob> {
    return new Blob([await this.bytes(options)], { type: this.contentType });
  }

  /** Ends the call and closes its connection. Harmless when the audio was read to its end. */
  cancel(): void {
    this.#taken = true;
    this.#context.call.abandon();
  }

  async *#read(): AsyncGenerator<Uint8Array, void, undefined> {
    const { call, response, format } = this.#context;
    const head: Uint8Array[] = [];
    let length = 0;
    let complete = false;
    try {
      for await (const piece of readPieces(response, call)) {
        if (length === 0 && !(firstBytes[format] ?? piece).includes(piece[0] ?? 0)) {
          throw this.#protocolError(`the body is no ${format} audio`);
        }
        if (length < suspiciousBytes) head.push(piece);
        length += piece.length;
        yield piece;
      }
      await this.#checkEnd(head, length);
      complete = true;
    } finally {
      if (complete) call.finish();
      else call.abandon();
    }
  }

  /** A success with nothing to hear, or with half a sample, is a failure that came with the wrong status. */
  async #checkEnd(head: readonly Uint8Array[], length: number): Promise<void> {
    const { format, speakable } = this.#context;
    if (format === 'pcm' && length % 2 === 1) {
      throw this.#protocolError('the pcm audio ends in the middle of a sample');
    }
    if (!speakable || length >= suspiciousBytes) return;
    // Loaded only for the rare clip that is this short.
    const { isEmptyClip } = await import('./empty-clip.ts');
    let cause: unknown;
    try {
      if (!isEmptyClip(joinBytes(head, length), format)) return;
    } catch (error) {
      cause = error;
    }
    throw this.#protocolError(`the ${format} audio holds no sound (${length} bytes)`, cause);
  }

  #protocolError(message: string, cause?: unknown): ProtocolError {
    return protocolError(this.#context, message, cause);
  }
}
