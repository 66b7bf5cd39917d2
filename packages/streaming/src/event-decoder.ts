/*! With eventsource-parser, MIT License, Copyright (c) 2026 Espen Hovlandsdal; see THIRD-PARTY-NOTICES.md */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { SpeechStreamError } from './errors.ts';

/** Turns bytes into server-sent events, without parsing their data. */
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
  // The parser removes one byte order mark itself; a decoder that removed one too would eat two.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
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
    push: (bytes) => feed(decoder.decode(bytes, { stream: true })),
    end() {
      if (failure !== undefined) return;
      // A probe comes out untouched at the boundary of an event only. Anything else that was open (a half line, a
      // field waiting for its blank line) joins with it, is named by it, or swallows it.
      const probed = feed(`${decoder.decode()}data: ${PROBE}\n\n`);
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
