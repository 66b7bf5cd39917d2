import { AbortError, AuthenticationError } from '@speech-api/client';
import type { CreateModelRequest } from '@speech-api/types';
import { expect, test } from 'vitest';
import { errorOf } from './testing/error-of.ts';
import { testWithState } from './testing/needs-state.ts';
import { useOwnService } from './testing/use-service.ts';

const service = useOwnService();
const text = 'The ferry leaves at noon, and the gulls leave with it.';

async function recording(): Promise<Uint8Array<ArrayBuffer>> {
  return (await service.client().speech.create({ text, format: 'wav', sample_rate: 16000 })).bytes();
}

test('a recording is transcribed, with segments and without', async () => {
  const { transcriptions } = service.client();
  const audio = await recording();
  const timed = await transcriptions.create({ audio, language: 'en', ignore_timestamps: false });
  expect(timed.text).not.toBe('');
  expect(timed.duration).toBeGreaterThan(0);
  for (const { start, end } of timed.segments) {
    expect(start).toBeLessThanOrEqual(end);
    expect(end).toBeLessThanOrEqual(timed.duration);
  }
  expect((await transcriptions.create({ audio })).segments).toEqual([]);
});

test('a voice model is created as it was described', async () => {
  const { models } = service.client();
  const described: Omit<CreateModelRequest, 'voices' | 'cover_image'> = {
    type: 'tts',
    title: 'Harbour',
    train_mode: 'fast',
    visibility: 'private',
    description: 'Calm.',
    tags: ['calm', 'sea'],
  };
  const voice = await models.create({ ...described, voices: [await recording()], texts: [text] });
  expect(voice).toMatchObject({ ...described, state: 'trained' });
  expect(await models.update(voice._id, { title: 'Dusk', tags: ['evening'] })).toBeUndefined();
  expect(await models.get(voice._id)).toMatchObject({ _id: voice._id });
  expect(await models.delete(voice._id)).toBeUndefined();
});

const longText = 'The baker opens at six, and the first customers are already waiting outside. '.repeat(200);

testWithState("leaving, cancelling and aborting free the account's place at once", async () => {
  const client = service.client();
  const inUse = async (): Promise<string | null> => {
    const { response } = await client.http.GET('/model', {});
    return response.headers.get('ratelimit-current-concurrency');
  };
  expect(await inUse()).toBe('1');
  const request = { text: longText, format: 'wav' } as const;
  for await (const _piece of await client.speech.create(request)) break;
  for await (const _event of await client.speech.streamWithTimestamps(request)) break;
  (await client.speech.create(request)).cancel();
  const controller = new AbortController();
  const audio = await client.speech.create(request, { signal: controller.signal });
  const reading = audio.bytes();
  controller.abort();
  expect(await errorOf(reading)).toBeInstanceOf(AbortError);
  await expect.poll(inUse).toBe('1');
});

test('clients side by side keep their keys, models and audio apart', async () => {
  const [first, second] = [service.client({ model: 's1' }), service.client()];
  const stranger = service.client({ apiKey: 'not-a-key' });
  const speak = (client: typeof first, reference_id: string) =>
    client.speech.create({ text: 'One client.', format: 'pcm', reference_id });
  const expected = [
    await (await speak(first, 'sandbox-alba')).bytes(),
    await (await speak(second, 'sandbox-blake')).bytes(),
  ];
  const rounds = Array.from({ length: 3 }, async () => {
    const [alba, blake, error] = await Promise.all([
      speak(first, 'sandbox-alba'),
      speak(second, 'sandbox-blake'),
      errorOf(stranger.models.list()),
    ]);
    expect(error).toBeInstanceOf(AuthenticationError);
    return [await alba.bytes(), await blake.bytes()];
  });
  for (const bytes of await Promise.all(rounds)) expect(bytes).toEqual(expected);
});
