import type { VoiceModel } from '@speech-api/types';
import { createSpeechClient, type SpeechClient } from '../client.ts';
import type { SpeechClientOptions } from '../options.ts';

/** A fake key. Tests look for it in places that must not contain a key. */
export const testKey = 'test-key-5f2b91';

/** A client of the server at `baseUrl`. */
export function clientOf(baseUrl: string, options: SpeechClientOptions = {}): SpeechClient {
  return createSpeechClient({ apiKey: testKey, baseUrl, ...options });
}

/** A voice model with every field that the interface requires. */
export function voiceOf(_id: string, fields: Partial<VoiceModel> = {}): VoiceModel {
  const at = '2026-01-01T00:00:00Z';
  const counts = { like_count: 0, mark_count: 0, shared_count: 0, task_count: 0 };
  const author = { _id: 'author', nickname: 'Author', avatar: '' };
  const kind = { type: 'tts', state: 'trained', visibility: 'public' } as const;
  return {
    _id,
    title: 'Voice',
    ...kind,
    tags: [],
    created_at: at,
    updated_at: at,
    ...counts,
    author,
    ...fields,
  };
}

/** A short tone as 16-bit mono pcm at 44100 Hz. */
export function tone(samples = 4410): Uint8Array<ArrayBuffer> {
  const values = Int16Array.from({ length: samples }, (_, index) => 8000 * Math.sin(index / 16));
  return new Uint8Array(values.buffer);
}

/** An event of a stream with timestamps, as it is on the wire. */
export function eventOf(fields: object = {}): string {
  const event = {
    audio_base64: Buffer.from(tone()).toString('base64'),
    content: 'Hello there.',
    alignment: null,
    chunk_seq: 0,
    chunk_audio_offset_sec: 0,
    ...fields,
  };
  return `event: message\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The error that a promise rejects with; fails when it resolves. */
export async function errorOf(promise: PromiseLike<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected an error, got ${String(value)}`);
}
