import { joinPieces } from '@speech-api/streaming/pieces';
import type { AudioFormat } from '@speech-api/types';
import { audioMediaTypes, mediaTypes } from '@speech-api/types/constants';
import { explain, parseError } from '../api-error.ts';
import { BodyReader, type HoldOptions, type Inspector, readBeginning } from '../core/body.ts';
import type { Call } from '../core/call.ts';
import { AbortError } from '../errors.ts';
import { faultOf } from '../short-clip.ts';

/**
 * Audio as it arrives. It can be read once: by iterating, or through `body`, `bytes()` or `blob()`.
 *
 * Nothing is read ahead: the service sends as fast as the audio is read. Audio that is not wanted any more is best
 * left (`break`), cancelled or held with `await using`: until then its connection stays open.
 */
export interface SpeechAudio extends AsyncIterable<Uint8Array>, AsyncDisposable {
  /** The format that was asked for. */
  readonly format: AudioFormat;
  /** The media type as the service names it, such as `audio/mpeg`. */
  readonly contentType: string;
  /** The trace id of the call, 32 hex digits, if it has one. */
  readonly traceId: string | undefined;
  /** The headers of the answer. */
  readonly headers: Headers;

  /**
   * The pieces of the audio in order, as they arrive; where one ends means nothing. Leaving the loop ends the call.
   *
   * @throws `ProtocolError` for bytes of another format, and at the end of an empty clip, of half a sample or of a wav
   * with fewer bytes than its header declares, `ConnectionError` when the body is cut,
   * `TimeoutError` when it hangs, `AbortError` by the caller's signal, `TypeError` when it was read before.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array, void, undefined>;

  /** The audio as a web stream; reading it throws what iterating throws. Looking at it takes nothing. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;

  /** All of the audio, held in memory. @throws what iterating throws, and `ProtocolError` for too much of it. */
  bytes(options?: HoldOptions): Promise<Uint8Array<ArrayBuffer>>;

  /** All of the audio as a `Blob` of its media type, for an `audio` element or an upload. @throws what `bytes` throws. */
  blob(options?: HoldOptions): Promise<Blob>;

  /** Ends the call and closes its connection. Harmless when the audio was read to its end. */
  cancel(): void;
}

/** What audio and events have in common. */
export class SpokenAnswer implements AsyncDisposable {
  readonly format: AudioFormat;
  readonly traceId: string | undefined;
  readonly headers: Headers;
  protected readonly call: Call;
  protected readonly reader: BodyReader;

  constructor(call: Call, response: Response, format: AudioFormat, inspector: Inspector) {
    this.call = call;
    this.reader = new BodyReader(call, response, inspector);
    this.format = format;
    this.headers = response.headers;
    this.traceId = call.traceId;
  }

  cancel(): void {
    this.call.fail(new AbortError('cancel() was called'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cancel();
  }
}

export class AudioAnswer extends SpokenAnswer implements SpeechAudio {
  get contentType(): string {
    return this.headers.get('content-type') ?? 'application/octet-stream';
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array<ArrayBuffer>, void, undefined> {
    return this.reader[Symbol.asyncIterator]();
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.reader.stream;
  }

  bytes(options?: HoldOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.reader.bytes(options);
  }

  async blob(options?: HoldOptions): Promise<Blob> {
    return new Blob([await this.bytes(options)], { type: this.contentType });
  }
}

/** The media type of an answer, without its parameters and in lower case; empty when it has none. */
export function mediaTypeOf({ headers }: Response): string {
  return (headers.get('content-type') ?? '').replace(/;.*$/s, '').trim().toLowerCase();
}

/** More than this is kept of no answer that is refused. */
const maximumRefusedBytes = 64 * 1024 * 1024;

/** Refuses a success with another media type. It may be an error in truth, whose text is told, or paid audio, which is kept. */
export async function refuseMediaType(call: Call, response: Response, expected: string): Promise<never> {
  const mediaType = mediaTypeOf(response);
  const { bytes } = await readBeginning(response.body, call.timeouts.idle, maximumRefusedBytes);
  if (call.failure) throw call.failure;
  const text = call.settings.redact(new TextDecoder().decode(bytes));
  const isNamedText = /json|text/.test(mediaType) && mediaType !== mediaTypes.eventStream;
  // Audio is no text, whatever its media type says.
  const isText = isNamedText && !/[\0\ufffd]/.test(text);
  const body = isText ? parseError(text) : bytes;
  const reason = (isText && explain(body)) || '';
  const words = `expected ${expected}, but got ${mediaType || 'no media type'}${reason && `; it says: ${reason}`}`;
  throw call.protocolError(words, { body });
}

/**
 * True if audio of the format may have this media type. The interface names none, so services differ: any `audio/*`
 * passes that is not the known type of another format, and so does no type or `application/octet-stream`.
 */
export function isAudioOf(mediaType: string, format: AudioFormat): boolean {
  if (['', 'application/octet-stream', audioMediaTypes[format]].includes(mediaType)) return true;
  const isAudio = mediaType.startsWith('audio/') || (format === 'opus' && mediaType === 'application/ogg');
  return isAudio && !(Object.values(audioMediaTypes) as string[]).includes(mediaType);
}

/** A clip below this many bytes is checked more closely; no format can encode a word in so few. */
const suspiciousBytes = 4096;

/** The first byte of each format. An mp3 may begin with a tag, or with padding silence. */
const firstBytes: Partial<Record<AudioFormat, readonly number[]>> = {
  wav: [0x52],
  opus: [0x4f],
  mp3: [0xff, 0x49, 0x00],
};

/**
 * A success with nothing to hear, or that is cut, is a failure that came with the wrong status.
 *
 * @param isSpeakable - True if the text has anything that can be spoken, so that an answer without audio is wrong.
 */
export function audioInspector(call: Call, format: AudioFormat, isSpeakable: boolean): Required<Inspector> {
  const head: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  return {
    piece(piece) {
      if (length === 0) {
        if (!(firstBytes[format] ?? piece).includes(piece[0] ?? 0)) {
          throw call.protocolError(`the body is no ${format} audio`);
        }
        call.heardAudio();
      }
      // The piece is copied, because the reader may transfer it to a worker or write into it.
      if (length < suspiciousBytes) head.push(piece.slice() as Uint8Array<ArrayBuffer>);
      length += piece.length;
    },
    end() {
      if (format === 'pcm' && length % 2 === 1) {
        throw call.protocolError('the pcm audio ends in the middle of a sample');
      }
      const isLong = length >= suspiciousBytes || (format === 'pcm' && length > 0);
      const needsSound = isSpeakable && !isLong;
      if (!needsSound && format !== 'wav') return;
      const fault = faultOf(joinPieces(head), format, length, needsSound);
      if (fault) throw call.protocolError(`the ${format} audio ${fault}`);
    },
  };
}
