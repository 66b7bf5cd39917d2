import type { SpeechStreamEvent } from '@speech-api/types';
import type { EventSourceMessage } from 'eventsource-parser';
import { decodeBase64 } from './base64.ts';
import { type ByteSource, openByteSource, type SpeechStreamBody } from './byte-source.ts';
import { SpeechStreamError } from './errors.ts';
import { createEventDecoder } from './event-decoder.ts';
import type { SpeechEvent } from './events.ts';
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
  const events = generateEvents(source, maximum);
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
): AsyncGenerator<SpeechEvent, void, void> {
  const decoder = createEventDecoder(maximumEventLength);
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
        const wire = parseWireEvent(message.data, eventIndex);
        yield* eventsOf(wire, startedChunks, eventIndex);
        eventIndex += 1;
      }
      if (finished) decoder.end();
      if (decoder.failure !== undefined) throw located(decoder.failure, eventIndex);
      if (finished) {
        yield { type: 'end' };
        return;
      }
    }
  } finally {
    if (!finished) source.cancel();
  }
}

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

function* eventsOf(
  wire: SpeechStreamEvent,
  startedChunks: Set<number>,
  eventIndex: number,
): Generator<SpeechEvent, void, void> {
  const audio = decodeAudio(wire.audio_base64, eventIndex);
  const { chunk_seq, chunk_audio_offset_sec, content, alignment } = wire;
  if (!startedChunks.has(chunk_seq)) {
    startedChunks.add(chunk_seq);
    yield { type: 'chunk-start', chunk_seq, chunk_audio_offset_sec, content };
  }
  yield { type: 'audio-chunk', audio, wire };
  if (alignment !== null) {
    yield { type: 'alignment-update', chunk_seq, chunk_audio_offset_sec, content, alignment };
  }
}

function decodeAudio(text: string, eventIndex: number): Uint8Array<ArrayBuffer> {
  try {
    return decodeBase64(text);
  } catch (cause) {
    throw new SpeechStreamError(`Field /audio_base64 of event ${eventIndex} is not base64.`, {
      kind: 'invalid-base64',
      field: '/audio_base64',
      eventIndex,
      cause,
    });
  }
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
