import type { SpeechStreamEvent } from '@speech-api/types';
import { collectSpeech, readSpeechEvents } from '../index.ts';

const encoder = new TextEncoder();

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

export function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

export function wireEvent(fields: Partial<SpeechStreamEvent> = {}): SpeechStreamEvent {
  return {
    audio_base64: '',
    content: '',
    alignment: null,
    chunk_seq: 0,
    chunk_audio_offset_sec: 0,
    ...fields,
  };
}

/**
 * A stream as the interface describes it, written by hand: three kinds of line breaks, comments, an end marker, null and
 * repeated snapshots, a second chunk, and text of one to four bytes a character.
 */
export function recordedStream(): Uint8Array<ArrayBuffer> {
  const first = { audio_duration: 0.5, segments: [{ text: 'Grüße', start: 0.05, end: 0.45 }] };
  const grown = {
    audio_duration: 1.25,
    segments: [...first.segments, { text: '👋🏽', start: 0.5, end: 1.2 }],
  };
  const second = {
    audio_duration: 0.75,
    segments: [
      { text: '你', start: 0, end: 0.25 },
      { text: '好', start: 0.25, end: 0.7 },
    ],
  };
  const content = 'Grüße 👋🏽!';
  const events = [
    wireEvent({ audio_base64: base64Of(Uint8Array.of(79, 103, 103, 83)), content }),
    wireEvent({ audio_base64: base64Of(Uint8Array.of(0, 255, 254)), content, alignment: first }),
    wireEvent({ audio_base64: base64Of(Uint8Array.of(1)), content, alignment: grown }),
    wireEvent({ audio_base64: base64Of(Uint8Array.of(2, 3)), content, alignment: grown }),
    wireEvent({ content: '你好。', chunk_seq: 1, chunk_audio_offset_sec: 1.25, alignment: second }),
    wireEvent({
      audio_base64: base64Of(Uint8Array.of(4, 5, 6, 7, 8)),
      chunk_seq: 1,
      chunk_audio_offset_sec: 1.25,
    }),
  ].map((event) => JSON.stringify(event));
  return bytesOf(
    [
      ': the stream begins\n\n',
      `data: ${events[0]}\n\n`,
      `event: message\r\ndata: ${events[1]}\r\n\r\n`,
      `data:${events[2]}\r\r`,
      ': keep-alive\n',
      `id: 7\ndata: ${events[3]}\nretry: 10\n\n`,
      'event: later-invention\ndata: not for us\n\n',
      `data: ${events[4]}\r\n\n`,
      `data: ${(events[5] ?? '').replace('{"', '{\r\ndata: "')}\r\n\r\n`,
      'data: [DONE]\n\n',
    ].join(''),
  );
}

/** A body that gives these pieces, one per read, and counts the reads. */
export function counted(pieces: readonly Uint8Array[]) {
  const counts = { read: 0, cancelled: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[counts.read++];
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
      cancel() {
        counts.cancelled += 1;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, counts };
}

export const bodyOf = (pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> => counted(pieces).body;

/** Cuts bytes at the given positions. */
export function cut(bytes: Uint8Array, ...positions: number[]): Uint8Array[] {
  const edges = [0, ...positions, bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

/** The whole outcome of a stream, in a form that `toEqual` can compare. */
export async function outcomeOf(pieces: readonly Uint8Array[]) {
  const { audio, timeline } = await collectSpeech(readSpeechEvents(bodyOf(pieces)));
  return { audio: [...audio], timeline: timeline.toJSON(), captions: timeline.toVtt() };
}

/** A stream of these wire events. */
export function streamOf(...events: unknown[]): Uint8Array<ArrayBuffer> {
  return bytesOf(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
