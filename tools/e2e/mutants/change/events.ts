import type { CarriedAnswer } from '../proxy/carried.ts';
import { isObject, type JsonObject } from './json.ts';

/** What an event of the timestamp stream holds, as far as a change looks at it. */
export interface StreamEvent extends JsonObject {
  audio_base64: string;
  content: string;
  alignment: { audio_duration: number; segments: { text: string; start: number; end: number }[] } | null;
  chunk_seq: number;
  chunk_audio_offset_sec: number;
}

/** The payloads of a stream, in order. */
export function eventsOf(answer: CarriedAnswer): StreamEvent[] {
  return answer.body
    .toString()
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => JSON.parse(block.slice('data: '.length)) as StreamEvent);
}

/** A stream of these payloads. */
export function writeEvents(events: readonly unknown[]): Buffer {
  return Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
}

/** The answer with other payloads, when it is an event stream. */
export function withEvents(
  answer: CarriedAnswer,
  change: (events: StreamEvent[]) => readonly unknown[],
): CarriedAnswer | undefined {
  if (!isStream(answer)) return undefined;
  return { ...answer, body: writeEvents(change(eventsOf(answer))) };
}

/** The answer with other text, when it is an event stream. */
export function withText(
  answer: CarriedAnswer,
  change: (blocks: string[]) => readonly string[],
): CarriedAnswer | undefined {
  if (!isStream(answer)) return undefined;
  const blocks = answer.body
    .toString()
    .split('\n\n')
    .filter((block) => block !== '');
  return {
    ...answer,
    body: Buffer.from(
      change(blocks)
        .map((block) => `${block}\n\n`)
        .join(''),
    ),
  };
}

/** The answer with other audio: all of it joined, changed, and cut into the same number of events. */
export function withJoinedAudio(
  answer: CarriedAnswer,
  change: (audio: Buffer) => Buffer,
): CarriedAnswer | undefined {
  return withEvents(answer, (events) => {
    const audio = change(Buffer.concat(events.map((event) => Buffer.from(event.audio_base64, 'base64'))));
    const size = Math.ceil(audio.length / events.length);
    return events.map((event, index) => ({
      ...event,
      audio_base64: audio.subarray(index * size, (index + 1) * size).toString('base64'),
    }));
  });
}

const isStream = (answer: CarriedAnswer): boolean =>
  answer.status === 200 && String(answer.headers['content-type'] ?? '').startsWith('text/event-stream');

/** Whether a payload holds a snapshot. */
export const hasSnapshot = (event: StreamEvent): boolean => isObject(event.alignment);
