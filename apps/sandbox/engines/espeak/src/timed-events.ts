import type { EspeakEvent } from '@echogarden/espeak-ng-emscripten';
import type { TimedEvent } from './protocol.ts';

/** Turns the engine's events into the protocol's; those that say nothing about time or text are left out. */
export function timedEvents(events: readonly EspeakEvent[]): TimedEvent[] {
  const timed: TimedEvent[] = [];
  for (const event of events) {
    const time = event.audio_position / 1000;
    const position = Math.max(0, event.text_position - 1);
    if (event.type === 'word') {
      timed.push({ event: 'word', time, position, length: event.word_length });
    } else if (event.type === 'sentence') {
      timed.push({ event: 'sentence', time, position });
    } else if (event.type === 'phoneme') {
      timed.push({ event: 'phoneme', time, phoneme: String(event.id ?? '') });
    } else if (event.type === 'end') {
      timed.push({ event: 'clause-end', time });
    }
  }
  return timed;
}
