import { type CollectedSpeech, readSpeechEvents, type SpeechEvent, Timeline } from '@speech-api/streaming';
import type { AudioFormat } from '@speech-api/types';
import { collect, type HoldOptions, iterate, limitOf, piecesOf } from '../core/body.ts';
import { AbortError } from '../errors.ts';
import type { SpeechContext } from './speech-audio.ts';

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
export class SpeechStream implements AsyncIterable<SpeechEvent>, AsyncDisposable {
  /** The format that was asked for. */
  readonly format: AudioFormat;
  /** The trace id of the call: 32 hex digits. */
  readonly traceId: string | undefined;
  /** When each word is spoken. Filled while the stream is read, and readable at any time. */
  readonly timeline: Timeline = new Timeline();

  readonly #context: SpeechContext;

  constructor(context: SpeechContext) {
    this.#context = context;
    context.call.inspector = { piece: createLineWatch() };
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
   * @throws `ProtocolError` for a malformed event and for audio that `SpeechAudio` refuses, `ConnectionError` when the
   * connection breaks, `TimeoutError` when it hangs, `AbortError` by the caller's signal, `TypeError` when it was
   * read before. Audio that came before is still good.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<SpeechEvent, void, undefined> {
    const { call, response, inspector } = this.#context;
    const source = readSpeechEvents(piecesOf(call, response));
    const read = async (): Promise<SpeechEvent | undefined> => {
      try {
        const { value: event } = await source.next();
        if (event === undefined) return undefined;
        if (event.type === 'audio-chunk' && event.audio.length > 0) inspector.piece(event.audio);
        if (event.type === 'end') await inspector.end();
        this.timeline.apply(event);
        return event;
      } catch (error) {
        throw call.readError(error);
      }
    };
    return iterate(read, () => void source.return());
  }

  /**
   * Reads the stream to its end and holds all of the audio in memory.
   *
   * @throws what iterating throws, and `ProtocolError` for too much of it.
   */
  async collect(options?: HoldOptions): Promise<CollectedSpeech> {
    const audio = await collect(this.#context.call, audioOf(this), limitOf(options));
    return { audio, timeline: this.timeline };
  }

  /** Ends the call and closes its connection. Harmless when the stream was read to its end. */
  cancel(): void {
    this.#context.call.fail(new AbortError('cancel() was called'));
  }

  /** Cancels the unread rest at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.cancel();
  }
}

async function* audioOf(events: AsyncIterable<SpeechEvent>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const event of events) if (event.type === 'audio-chunk') yield event.audio;
}

/** Says whether a piece of an event stream brings anything but comments and empty lines. */
function createLineWatch(): (piece: Uint8Array) => boolean {
  // One character for each byte, so that no letter is cut.
  const decoder = new TextDecoder('latin1');
  /** The first character of the line that the last piece broke off. */
  let line = '';
  return (piece) => {
    const text = line + decoder.decode(piece);
    line = text[Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1] ?? '';
    return /^[^:\r\n]/m.test(text);
  };
}
