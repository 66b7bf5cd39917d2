import type { AudioFormat } from '@speech-api/types';
import { type AnswerBody, joinBytes, openBody, streamOf } from '../core/body.ts';
import type { Call } from '../core/call.ts';

/** A clip below this many bytes is checked more closely; no format can encode a word in so few. */
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

  readonly #context: SpeechAudioContext;
  readonly #source: AnswerBody;
  readonly #head: Uint8Array[] = [];
  #length = 0;
  #taken = false;
  #stream: ReadableStream<Uint8Array> | undefined;

  constructor(context: SpeechAudioContext) {
    this.#context = context;
    this.#source = openBody(context.call, context.response);
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
  [Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array, void, undefined> {
    if (this.#taken) throw new TypeError('this audio is being read or has been read; it can be read once');
    this.#taken = true;
    let ended = false;
    // Written by hand: a generator that waits for a piece would not hear of `return` before it came.
    const pieces: AsyncIterableIterator<Uint8Array, void, undefined> = {
      next: async () => {
        const piece = await this.#source.next();
        if (!piece.done) this.#check(piece.value);
        else if (!ended) this.#checkEnd();
        return piece;
      },
      return: () => {
        ended = true;
        return this.#source.return();
      },
      [Symbol.asyncIterator]: () => pieces,
    };
    return pieces;
  }

  /** The audio as a web stream; reading it throws what iterating throws. Looking at it takes nothing. */
  get body(): ReadableStream<Uint8Array> {
    this.#stream ??= streamOf(() => this[Symbol.asyncIterator]());
    return this.#stream;
  }

  /** All of the audio, held in memory. @throws what iterating throws, and `ProtocolError` for too much of it. */
  async bytes({ maximumBytes = 2 ** 30 }: HoldOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this) {
      pieces.push(piece);
      length += piece.length;
      if (length > maximumBytes) throw this.#wrong(`the audio is larger than ${maximumBytes} bytes`);
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
    this.#source.cancel();
  }

  /** What `await using` does: cancels what was not read. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.cancel();
  }

  #check(piece: Uint8Array): void {
    const { format } = this.#context;
    if (this.#length === 0 && !(firstBytes[format] ?? piece).includes(piece[0] ?? 0)) {
      throw this.#wrong(`the body is no ${format} audio`);
    }
    if (this.#length < suspiciousBytes) this.#head.push(piece);
    this.#length += piece.length;
  }

  /** A success with nothing to hear, or with half a sample, is a failure that came with the wrong status. */
  #checkEnd(): void {
    const { format, speakable } = this.#context;
    const length = this.#length;
    if (format === 'pcm' && length % 2 === 1)
      throw this.#wrong('the pcm audio ends in the middle of a sample');
    if (!speakable || length >= suspiciousBytes || hasSound(joinBytes(this.#head, length), format)) return;
    throw this.#wrong(`the ${format} audio holds no sound (${length} bytes)`);
  }

  #wrong(message: string): Error {
    const { call, response } = this.#context;
    return call.protocolError(message, response);
  }
}

/** Whether a whole short clip holds more than headers. @internal */
export function hasSound(clip: Uint8Array<ArrayBuffer>, format: AudioFormat): boolean {
  if (format === 'wav') return hasWavSamples(clip);
  if (format === 'opus') return hasOggAudio(clip);
  return format === 'mp3' ? hasMp3Frames(clip) : clip.length > 0;
}

function hasWavSamples(clip: Uint8Array<ArrayBuffer>): boolean {
  const view = new DataView(clip.buffer);
  for (let chunk = 12; chunk + 8 < clip.length; ) {
    if (view.getUint32(chunk) === 0x64617461) return true;
    const size = view.getUint32(chunk + 4, true);
    chunk += 8 + size + (size % 2);
  }
  return false;
}

/** Pages of headers are at position 0, and the page that ends an empty stream holds nothing. */
function hasOggAudio(clip: Uint8Array<ArrayBuffer>): boolean {
  const view = new DataView(clip.buffer);
  for (let page = 0; page + 27 <= clip.length && view.getUint32(page) === 0x4f676753; ) {
    const segments = clip.subarray(page + 27, page + 27 + (clip[page + 26] ?? 0));
    const bytes = segments.reduce((sum, segment) => sum + segment, 0);
    if (bytes > 0 && view.getBigUint64(page + 6, true) !== 0n) return true;
    page += 27 + segments.length + bytes;
  }
  return false;
}

/** An encoder flushes a frame or two even when it was given nothing. */
const minimumMp3Frames = 3;

function hasMp3Frames(clip: Uint8Array): boolean {
  let version: number | undefined;
  let frames = 0;
  for (let index = 0; index + 3 < clip.length; index += 1) {
    const [second = 0, third = 0] = clip.subarray(index + 1, index + 3);
    // A sync word of layer III, of the version that the first one has, with a bitrate and a rate that exist.
    if (clip[index] !== 0xff || (second & 0xe6) !== 0xe2 || second !== (version ?? second)) continue;
    if (third >> 4 === 0 || third >> 4 === 15 || (third & 12) === 12) continue;
    version = second;
    frames += 1;
    index += 3;
  }
  // The first frame may hold no sound but a table of the file.
  const text = String.fromCharCode(...clip.subarray(0, 1024));
  return frames - (/Xing|Info|VBRI/.test(text) ? 1 : 0) >= minimumMp3Frames;
}
