import { createSpeechClient, type SpeechClient } from '../client.ts';
import type { SpeechClientOptions } from '../options.ts';
import { capturing } from './log-capture.ts';

/** A fake key. Tests look for it in places that must not contain a key. */
export const testKey = 'test-key-5f2b91';

/** A client of the server at `baseUrl`; what it logs is searched for the key and the text when the file ends. */
export function clientOf(baseUrl: string, options: SpeechClientOptions = {}): SpeechClient {
  return createSpeechClient({ apiKey: testKey, baseUrl, ...options, logger: capturing(options.logger) });
}

/** A short tone as 16-bit mono pcm at 44100 Hz. */
export function tone(samples = 4410): Uint8Array<ArrayBuffer> {
  const values = Int16Array.from({ length: samples }, (_, index) => 8000 * Math.sin(index / 16));
  return new Uint8Array(values.buffer);
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
