/*! With eventsource-parser, MIT License, Copyright (c) 2026 Espen Hovlandsdal; see THIRD-PARTY-NOTICES.md */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { SpeechStreamError } from './errors.ts';

/** Bytes to server-sent events, without opening what they carry. */
export interface EventDecoder {
  /** The events that these bytes complete, in order. */
  push(bytes: Uint8Array): readonly EventSourceMessage[];
  /** Call it at the end of the body. */
  end(): void;
  /** Set when an event was too large or the body ended inside one; events returned before are good. */
  readonly failure: SpeechStreamError | undefined;
}

// Room for "data: " and line breaks, so that the limit below falls on the data alone wherever the body is cut.
const FRAMING_ALLOWANCE = 64;
const PROBE = 'end-of-body';

/** @param maximumEventLength - Characters that the data of one event may have. */
export function createEventDecoder(maximumEventLength: number): EventDecoder {
  // The parser removes one byte order mark itself; a reader that removed one too would eat two.
  const reader = createTextReader();
  let events: EventSourceMessage[] = [];
  let failure: SpeechStreamError | undefined;
  const parser = createParser({
    maxBufferSize: maximumEventLength + FRAMING_ALLOWANCE,
    onEvent(event) {
      if (failure !== undefined) return;
      if (event.data.length > maximumEventLength) failure = tooLarge(maximumEventLength);
      else events.push(event);
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') failure ??= tooLarge(maximumEventLength);
    },
  });

  function feed(text: string): readonly EventSourceMessage[] {
    if (failure !== undefined) return [];
    events = [];
    parser.feed(text);
    return events;
  }

  return {
    push: (bytes) => feed(reader.push(bytes)),
    end() {
      if (failure !== undefined) return;
      // A probe comes out untouched at the boundary of an event only. Anything else that was open (a half line, a
      // field waiting for its blank line) joins with it, is named by it, or swallows it.
      const probed = feed(`${reader.end()}data: ${PROBE}\n\n`);
      const [event] = probed;
      const clean = event?.data === PROBE && event.event === undefined && event.id === undefined;
      // Some servers write their end marker without the blank line that would complete it; nothing is lost there.
      const onlyMarkerOpen = event?.data === `[DONE]data: ${PROBE}` || event?.data === `[DONE]\n${PROBE}`;
      if (clean || onlyMarkerOpen) return;
      failure = new SpeechStreamError('The body ended inside an event: the audio is not complete.', {
        kind: 'truncated',
      });
    },
    get failure() {
      return failure;
    },
  };
}

function tooLarge(maximumEventLength: number): SpeechStreamError {
  return new SpeechStreamError(
    `An event is longer than ${maximumEventLength} characters. Raise maximumEventLength if that is expected.`,
    { kind: 'event-too-large' },
  );
}

/** UTF-8 in pieces to text. */
export interface TextReader {
  push(bytes: Uint8Array): string;
  /** Returns the rest that an end inside a character leaves. */
  end(): string;
}

/**
 * Does what `TextDecoder` does with `stream: true`, which takes five times as long in Node: a character that is cut
 * waits here for its other bytes, and what is whole is decoded in one go. A byte order mark is left where it is.
 */
export function createTextReader(): TextReader {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let waiting = new Uint8Array();
  return {
    push(bytes) {
      let whole = bytes;
      if (waiting.length > 0) {
        whole = new Uint8Array(waiting.length + bytes.length);
        whole.set(waiting);
        whole.set(bytes, waiting.length);
      }
      const cut = lengthOfWhole(whole);
      // Copied, because the caller may write into its memory again.
      waiting = whole.slice(cut);
      return decoder.decode(whole.subarray(0, cut));
    },
    end: () => decoder.decode(waiting),
  };
}

/** Bytes before a character that is not complete; all of them where the last is. */
function lengthOfWhole(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] ?? 0;
    // 0xxxxxxx, or 10xxxxxx, which goes on from a byte before it.
    if (byte < 0x80) return length;
    if (byte < 0xc0) continue;
    const needed = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return back < needed ? length - back : length;
  }
  return length;
}
