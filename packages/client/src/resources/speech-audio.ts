import type { AudioFormat } from '@speech-api/types';
import type { Call } from '../core/call.ts';
import { joinBytes, readPieces } from '../core/read-body.ts';
import { ProtocolError } from '../errors/protocol-error.ts';

/** Below this many bytes a clip is looked at more closely; no format can say a word in so few. */
const suspiciousBytes = 4096;

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
   * @throws `ProtocolError` at the end of an empty clip or of half a sample, `ConnectionError` when the body is cut,
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

  /** All of the audio, held in memory. @throws what iterating throws. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this) {
      pieces.push(piece);
      length += piece.length;
    }
    return joinBytes(pieces, length);
  }

  /** All of the audio as a `Blob` of its media type, for an `audio` element or an upload. @throws what iterating throws. */
  async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.contentType });
  }

  /** Ends the call and closes its connection. Harmless when the audio was read to its end. */
  cancel(): void {
    this.#taken = true;
    this.#context.call.abandon();
  }

  async *#read(): AsyncGenerator<Uint8Array, void, undefined> {
    const { call, response } = this.#context;
    const head: Uint8Array[] = [];
    let length = 0;
    let complete = false;
    try {
      for await (const piece of readPieces(response, call)) {
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
    const { call, response, format, speakable } = this.#context;
    const context = { status: response.status, traceId: call.traceId };
    if (format === 'pcm' && length % 2 === 1) {
      throw new ProtocolError(`${call.operationId}: the pcm audio ends in the middle of a sample`, context);
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
    throw new ProtocolError(`${call.operationId}: the ${format} audio holds no sound (${length} bytes)`, {
      ...context,
      ...(cause !== undefined && { cause }),
    });
  }
}
