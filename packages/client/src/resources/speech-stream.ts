import { type CollectedSpeech, type SpeechEvent, SpeechEventParser, Timeline } from '@speech-api/streaming';
import { leavable } from '@speech-api/streaming/pieces';
import type { AudioFormat } from '@speech-api/types';
import { collect, type HoldOptions, type Inspector } from '../core/body.ts';
import type { Call } from '../core/call.ts';
import { type SpeechError, toSpeechError } from '../errors.ts';
import { SpokenAnswer } from './speech-audio.ts';

/**
 * Speech with its timestamps, as it arrives. It can be read once: by iterating its events or with `collect()`.
 */
export interface SpeechStream extends AsyncIterable<SpeechEvent>, AsyncDisposable {
  /** The format that was asked for. */
  readonly format: AudioFormat;
  /** The trace id of the call, 32 hex digits, if it has one. */
  readonly traceId: string | undefined;
  /** When each word is spoken. Filled while the stream is read, and readable at any time. */
  readonly timeline: Timeline;
  /** The headers of the answer. */
  readonly headers: Headers;

  /**
   * The events in order; the timeline has taken in each one before it is handed over. Leaving the loop ends the call.
   *
   * @throws `ProtocolError` for a malformed event and for audio that `SpeechAudio` refuses, `ConnectionError` when the
   * connection breaks, `TimeoutError` when it hangs, `AbortError` by the caller's signal, `TypeError` when it was
   * read before. Audio that came before is still good.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<SpeechEvent, void, undefined>;

  /**
   * Reads the stream to its end and holds all of the audio in memory.
   *
   * @throws what iterating throws, and `ProtocolError` for too much of it.
   */
  collect(options?: HoldOptions): Promise<CollectedSpeech>;

  /** Ends the call and closes its connection. Harmless when the stream was read to its end. */
  cancel(): void;
}

export class EventAnswer extends SpokenAnswer implements SpeechStream {
  readonly timeline: Timeline = new Timeline();
  readonly #inspector: Required<Inspector>;

  constructor(call: Call, response: Response, format: AudioFormat, inspector: Required<Inspector>) {
    super(call, response, format, { piece: createLineWatch() });
    this.#inspector = inspector;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<SpeechEvent, void, undefined> {
    this.reader.take();
    return leavable(this.#events(), () => this.reader.leave());
  }

  async *#events(): AsyncGenerator<SpeechEvent, void, undefined> {
    const parser = new SpeechEventParser();
    try {
      while (!parser.hasEnded) {
        const piece = await this.reader.next();
        if (this.reader.isLeft) return;
        for (const event of piece ? parser.push(piece) : parser.end()) {
          if (event.type === 'audio-chunk' && event.audio.length > 0) this.#inspector.piece(event.audio);
          if (event.type === 'end') this.#inspector.end();
          this.timeline.apply(event);
          // A body that goes on after its end marker is left.
          if (event.type === 'end' && piece) this.reader.leave();
          yield event;
        }
      }
    } catch (error) {
      throw this.#refused(error);
    }
  }

  /** The fault of the stream. The text of an error event may be the spoken text, so it is only in the body of the error. */
  #refused(error: unknown): SpeechError {
    const { call } = this;
    const { redact } = call.settings;
    const { body } = Object(error) as { readonly body?: unknown };
    const details = typeof body === 'string' ? { body: redact(body) } : {};
    return call.end(
      toSpeechError(error, redact, (words, cause) => call.protocolError(words, { cause, ...details })),
    );
  }

  async collect(options?: HoldOptions): Promise<CollectedSpeech> {
    const open = () => {
      const events = this[Symbol.asyncIterator]();
      return async () => {
        for (;;) {
          const { value: event } = await events.next();
          if (!event || event.type === 'audio-chunk') return event?.audio;
        }
      };
    };
    return { audio: await collect(this.call, open, options), timeline: this.timeline };
  }
}

/** Says whether a piece of an event stream brings anything but comments and empty lines. */
function createLineWatch(): (piece: Uint8Array) => boolean {
  // One character for each byte, so that no letter is cut.
  const decoder = new TextDecoder('latin1');
  /** The first character of the line that the last piece cut off. */
  let line = '';
  return (piece) => {
    const text = line + decoder.decode(piece);
    line = text[Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1] ?? '';
    return /^[^:\r\n]/m.test(text);
  };
}
