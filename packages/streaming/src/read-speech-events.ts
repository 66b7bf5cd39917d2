import type { SpeechStreamEvent } from '@speech-api/types';
import type { EventSourceMessage } from 'eventsource-parser';
import { type ByteSource, openByteSource, type SpeechStreamBody } from './byte-source.ts';
import { SpeechStreamError } from './errors.ts';
import { createEventDecoder } from './event-decoder.ts';
import type { AlignmentUpdateEvent, AudioChunkEvent, SpeechEvent } from './events.ts';
import type { LazyAlignment } from './lazy-alignment.ts';
import { createPayloadOpener } from './open-payload.ts';
import { parseWireEvent } from './wire-event.ts';

/** Options of {@link readSpeechEvents}. */
export interface ReadSpeechEventsOptions {
  /**
   * Characters that the data of one event may have; a longer one ends the stream in an error, so that a hostile
   * server can not fill the memory.
   *
   * @defaultValue 16777216 (16 Mi), some 12 MB of audio in one event
   */
  readonly maximumEventLength?: number;
  /**
   * Gives what is thrown in place of an error, by the loop and by `wire` and `alignment` alike, so that a caller meets
   * one family of errors wherever a fault shows.
   *
   * @defaultValue the error itself
   */
  readonly mapError?: (error: SpeechStreamError) => unknown;
}

/** Default of `maximumEventLength`, in characters. */
export const defaultMaximumEventLength: number = 16 * 1024 * 1024;

/**
 * Reads the body of `POST /v1/tts/stream/with-timestamp` (sections 2.4 and 4.2).
 *
 * An event of the wire gives `chunk-start` (the first time its `chunk_seq` is named), then `audio-chunk`, then
 * `alignment-update` (when its alignment is not null). `end` comes once, last, after a clean end of the body.
 * Comments, `[DONE]`, unknown fields and events of other names are passed over.
 *
 * The body is read only when the next event is asked for and nothing is decoded ahead. Leaving the loop cancels it.
 *
 * @throws SpeechStreamError at once when the body has a reader already, and from the loop for everything else.
 *
 * @example
 * ```ts
 * const timeline = new Timeline();
 * for await (const event of readSpeechEvents(response.body)) {
 *   timeline.apply(event);
 *   if (event.type === 'audio-chunk') await player.write(event.audio);
 * }
 * ```
 */
export function readSpeechEvents(
  body: SpeechStreamBody,
  options: ReadSpeechEventsOptions = {},
): AsyncGenerator<SpeechEvent, void, void> {
  const source = cancelOnce(openByteSource(body));
  const maximum = options.maximumEventLength ?? defaultMaximumEventLength;
  const mapError = options.mapError ?? ((error) => error);
  const events = generateEvents(source, maximum, (error) => {
    throw SpeechStreamError.isInstance(error) ? mapError(error) : error;
  });
  const leave = events.return.bind(events);
  // A generator that waits for bytes, or was never started, would not hear of `return` before the next event.
  events.return = (value) => {
    source.cancel();
    return leave(value);
  };
  return events;
}

async function* generateEvents(
  source: CancellableSource,
  maximumEventLength: number,
  fail: Fail,
): AsyncGenerator<SpeechEvent, void, void> {
  const decoder = createEventDecoder(maximumEventLength);
  const payloads = createPayloadOpener();
  const startedChunks = new Set<number>();
  let eventIndex = 0;
  let finished = false;
  try {
    for (;;) {
      const bytes = await readBytes(source, eventIndex);
      if (source.cancelled) return;
      finished = bytes === undefined;
      const messages = bytes === undefined ? [] : decoder.push(bytes);
      for (const message of messages) {
        if (isPassedOver(message, eventIndex)) continue;
        const { fields, audio, alignment } = payloads.open(message.data, eventIndex);
        const { chunk_seq, chunk_audio_offset_sec, content } = fields;
        if (!startedChunks.has(chunk_seq)) {
          startedChunks.add(chunk_seq);
          yield { type: 'chunk-start', chunk_seq, chunk_audio_offset_sec, content };
        }
        yield audioChunk(message.data, audio, eventIndex, fail);
        if (alignment !== undefined) yield alignmentUpdate(fields, alignment, fail);
        eventIndex += 1;
      }
      if (finished) decoder.end();
      if (decoder.failure !== undefined) throw located(decoder.failure, eventIndex);
      if (finished) {
        payloads.finish();
        yield { type: 'end' };
        return;
      }
    }
  } catch (error) {
    fail(error);
  } finally {
    if (!finished) source.cancel();
  }
}

/** Throws a fault as the caller wants it. */
type Fail = (error: unknown) => never;

async function readBytes(source: ByteSource, eventIndex: number): Promise<Uint8Array | undefined> {
  try {
    return await source.read();
  } catch (cause) {
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    throw new SpeechStreamError(`The body broke off after ${eventIndex} events${reason}`, {
      kind: 'body-failed',
      eventIndex,
      cause,
    });
  }
}

function isPassedOver(message: EventSourceMessage, eventIndex: number): boolean {
  // Not among the events of section 6. Silence would turn a failure of the server into a clean, short stream.
  if (message.event === 'error') {
    throw new SpeechStreamError('The server sent an event named "error".', {
      kind: 'error-event',
      eventIndex,
      cause: message.data,
    });
  }
  if (message.event !== undefined && message.event !== 'message') return true;
  return message.data.trim() === '[DONE]';
}

function audioChunk(
  data: string,
  audio: Uint8Array<ArrayBuffer>,
  eventIndex: number,
  fail: Fail,
): AudioChunkEvent {
  let wire: SpeechStreamEvent | undefined;
  return {
    type: 'audio-chunk',
    audio,
    get wire() {
      try {
        wire ??= parseWireEvent(data, eventIndex);
        return wire;
      } catch (error) {
        return fail(error);
      }
    },
  };
}

function alignmentUpdate(
  fields: SpeechStreamEvent,
  alignment: LazyAlignment,
  fail: Fail,
): AlignmentUpdateEvent {
  const { chunk_seq, chunk_audio_offset_sec, content } = fields;
  return {
    type: 'alignment-update',
    chunk_seq,
    chunk_audio_offset_sec,
    content,
    get alignment() {
      try {
        return alignment.read();
      } catch (error) {
        return fail(error);
      }
    },
  };
}

function located(failure: SpeechStreamError, eventIndex: number): SpeechStreamError {
  return new SpeechStreamError(failure.message, { kind: failure.kind, eventIndex });
}

interface CancellableSource extends ByteSource {
  readonly cancelled: boolean;
}

function cancelOnce(source: ByteSource): CancellableSource {
  let cancelled = false;
  return {
    read: () => source.read(),
    cancel() {
      if (cancelled) return;
      cancelled = true;
      source.cancel();
    },
    get cancelled() {
      return cancelled;
    },
  };
}
