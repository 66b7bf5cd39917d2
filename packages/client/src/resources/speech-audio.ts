import type { AudioFormat } from '@speech-api/types';
import { collect, type HoldOptions, type Inspector, limitOf, piecesOf } from '../core/body.ts';
import type { Call } from '../core/call.ts';
import { AbortError } from '../errors.ts';
import { loadLater } from '../on-demand.ts';

/** A clip below this many bytes is checked more closely; no format can encode a word in so few. */
const suspiciousBytes = 4096;

/** The first byte of each format; an mp3 may begin with a tag, or with silence that an encoder pads with. */
const firstBytes: Partial<Record<AudioFormat, readonly number[]>> = {
  wav: [0x52],
  opus: [0x4f],
  mp3: [0xff, 0x49, 0x00],
};

/** Context of an answer with speech. */
export interface SpeechContext {
  readonly call: Call;
  readonly response: Response;
  readonly format: AudioFormat;
  /** Looks at the audio. */
  readonly inspector: Required<Inspector>;
}

/**
 * Audio as it arrives. It can be read once: by iterating, or through `body`, `bytes()` or `blob()`.
 *
 * Nothing is read ahead: the service sends as fast as the audio is read. Audio that is not wanted any more is best
 * left (`break`), cancelled or held with `await using`: until then its connection stays open.
 */
export class SpeechAudio implements AsyncIterable<Uint8Array>, AsyncDisposable {
  /** The format that was asked for. */
  readonly format: AudioFormat;
  /** The media type as the service names it, such as `audio/mpeg`. */
  readonly contentType: string;
  /** The trace id of the call: 32 hex digits. */
  readonly traceId: string | undefined;

  readonly #call: Call;
  readonly #response: Response;

  constructor({ call, response, format, inspector }: SpeechContext) {
    this.#call = call;
    this.#response = response;
    this.format = format;
    this.contentType = response.headers.get('content-type') ?? 'application/octet-stream';
    this.traceId = call.traceId;
    call.inspector = inspector;
  }

  /** The headers of the answer. */
  get headers(): Headers {
    return this.#response.headers;
  }

  /**
   * The pieces of the audio in order, as they arrive; where one ends means nothing. Leaving the loop ends the call.
   *
   * @throws `ProtocolError` for bytes of another format, and at the end of an empty clip, of half a sample or of a wav
   * with fewer bytes than its header declares, `ConnectionError` when the body is cut,
   * `TimeoutError` when it hangs, `AbortError` by the caller's signal, `TypeError` when it was read before.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array, void, undefined> {
    return piecesOf(this.#call, this.#response);
  }

  /** The audio as a web stream; reading it throws what iterating throws. Looking at it takes nothing. */
  get body(): ReadableStream<Uint8Array> {
    return this.#response.body ?? new Blob().stream();
  }

  /** All of the audio, held in memory. @throws what iterating throws, and `ProtocolError` for too much of it. */
  async bytes(options?: HoldOptions): Promise<Uint8Array<ArrayBuffer>> {
    return collect(this.#call, this, limitOf(options));
  }

  /** All of the audio as a `Blob` of its media type, for an `audio` element or an upload. @throws what `bytes` throws. */
  async blob(options?: HoldOptions): Promise<Blob> {
    return new Blob([await this.bytes(options)], { type: this.contentType });
  }

  /** Ends the call and closes its connection. Harmless when the audio was read to its end. */
  cancel(): void {
    this.#call.fail(new AbortError('cancel() was called'));
  }

  /** Cancels the unread rest at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.cancel();
  }
}

/**
 * A success with nothing to hear, or that is cut, is a failure that came with the wrong status.
 *
 * @param speakable - True if the text has anything that can be spoken, so that an answer without audio is wrong.
 */
export function inspectorOf(call: Call, format: AudioFormat, speakable: boolean): Required<Inspector> {
  const head: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  // An mp3 may begin with zeros, and not be made of them.
  let isZero = format === 'mp3';
  return {
    piece(piece) {
      if (length === 0 && !(firstBytes[format] ?? piece).includes(piece[0] ?? 0)) {
        throw call.protocolError(`the body is no ${format} audio`);
      }
      // A copy: the reader may transfer the piece to a worker, or write into it.
      if (length < suspiciousBytes) head.push(piece.slice());
      length += piece.length;
      isZero &&= piece.every((byte) => byte === 0);
    },
    async end() {
      if (format === 'pcm' && length % 2 === 1) {
        throw call.protocolError('the pcm audio ends in the middle of a sample');
      }
      const isLong = (length >= suspiciousBytes && !isZero) || (format === 'pcm' && length > 0);
      const needsSound = speakable && !isLong;
      if (!needsSound && format !== 'wav') return;
      const { faultOf } = await loadLater();
      const fault = faultOf(await new Blob(head).arrayBuffer(), format, length, needsSound);
      if (fault) throw call.protocolError(`the ${format} audio ${fault}`);
    },
  };
}
