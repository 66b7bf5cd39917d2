import { type CollectedSpeech, readSpeechEvents, type SpeechEvent, Timeline } from '@speech-api/streaming';
import type { AudioFormat } from '@speech-api/types';
import type { Call } from '../core/call.ts';
import { joinBytes, readPieces } from '../core/read-body.ts';
import { type ProtocolError, protocolError } from '../errors/protocol-error.ts';
import { SpeechError } from '../errors/speech-error.ts';
import type { HoldOptions } from './speech-audio.ts';

/** What a timestamp stream is about. */
export interface SpeechStreamContext {
  readonly call: Call;
  readonly response: Response;
  readonly format: AudioFormat;
  /** Whether the text has anything that can be spoken, so that a stream without audio is wrong. */
  readonly speakable: boolean;
}

/**
 * Speech with its timestamps, as it arrives. It can be read once: by iterating its events or with `collect()`.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 *
 * const client = createSpeechClient();
 * const stream = await client.speech.streamWithTimestamps({ text: 'Every word has its time.', format: 'opus' });
 * let bytes = 0;
 * for await (const event of stream) {
 *   if (event.type === 'audio-chunk') bytes += event.audio.length;
 * }
 * for (const { text, start, end } of stream.timeline.segments) console.log(text, start, end);
 * console.log(bytes, stream.timeline.toVtt());
 * ```
 */
export class SpeechStream implements AsyncIterable<SpeechEvent> {
  /** The format that was asked for. */
  readonly format: AudioFormat;
  /** The trace id of the call: 32 hex digits. */
  readonly traceId: string | undefined;
  /** When each word is spoken. Filled while the stream is read, and readable at any time. */
  readonly timeline: Timeline = new Timeline();

  readonly #context: SpeechStreamContext;
  #taken = false;

  constructor(context: SpeechStreamContext) {
    this.#context = context;
    this.format = context.format;
    this.traceId = context.call.traceId;
  }

  /** The headers of the answer. */
  get headers(): Headers {
    return this.#context.response.headers;
  }

  /**
   * The events in order; the timeline has taken in each one before it is handed over. Leaving the loop ends the call.
   *
   * @throws `ProtocolError` for a malformed event or a stream without any audio, `ConnectionError` when the
   * connection breaks, `TimeoutError` when it hangs, `AbortError` by the caller's signal, `TypeError` when it was
   * read before. Audio that came before is still good.
   */
  [Symbol.asyncIterator](): AsyncGenerator<SpeechEvent, void, undefined> {
    if (this.#taken) throw new TypeError('this stream is being read or has been read; it can be read once');
    this.#taken = true;
    return this.#read();
  }

  /**
   * Reads the stream to its end and holds all of the audio in memory.
   *
   * @throws what iterating throws, and `ProtocolError` for too much of it.
   */
  async collect({ maximumBytes = 2 ** 30 }: HoldOptions = {}): Promise<CollectedSpeech> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const event of this) {
      if (event.type !== 'audio-chunk') continue;
      pieces.push(event.audio);
      length += event.audio.length;
      if (length > maximumBytes) throw this.#protocolError(`the audio is larger than ${maximumBytes} bytes`);
    }
    return { audio: joinBytes(pieces, length), timeline: this.timeline };
  }

  /** Ends the call and closes its connection. Harmless when the stream was read to its end. */
  cancel(): void {
    this.#taken = true;
    this.#context.call.abandon();
  }

  async *#read(): AsyncGenerator<SpeechEvent, void, undefined> {
    const { call, response, speakable } = this.#context;
    let complete = false;
    let silent = speakable;
    try {
      // Of an alignment that is malformed the reader may hear later, when it looks at it.
      const mapError = (error: Error): Error => this.#callError(error);
      for await (const event of readSpeechEvents(readPieces(response, call), { mapError })) {
        if (event.type === 'audio-chunk' && event.audio.length > 0) silent = false;
        if (event.type === 'end' && silent) throw this.#protocolError('the stream holds no audio');
        complete = event.type === 'end';
        this.timeline.apply(event);
        yield event;
      }
    } catch (error) {
      throw this.#callError(error as Error);
    } finally {
      if (complete) call.finish();
      else call.abandon();
    }
  }

  /** What the connection did stands in the cause; what is wrong with the events is the service's doing. */
  #callError(error: Error): Error {
    if (SpeechError.isInstance(error)) return error;
    return SpeechError.isInstance(error.cause) ? error.cause : this.#protocolError(error.message, error);
  }

  #protocolError(message: string, cause?: unknown): ProtocolError {
    return protocolError(this.#context, message, cause);
  }
}
