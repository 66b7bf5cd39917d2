import { AbortError, AuthenticationError } from '@speech-api/client';
import { expect, test } from 'vitest';
import { errorOf } from './testing/error-of.ts';
import { testWithState } from './testing/needs-state.ts';
import { useOwnService } from './testing/use-service.ts';

const service = useOwnService();
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

test('two clients side by side keep their keys, models and audio apart', async () => {
  const first = service.client({ model: 's1' });
  const second = service.client();
  const requests = [
    { text: 'The first client.', format: 'pcm', reference_id: 'sandbox-alba' },
    { text: 'The second client.', format: 'pcm', reference_id: 'sandbox-blake' },
  ] as const;
  const expected = [
    await (await first.speech.create(requests[0])).bytes(),
    await (await second.speech.create(requests[1])).bytes(),
  ];
  const stranger = service.client({ apiKey: 'not-a-key' });
  const rounds = Array.from({ length: 5 }, () =>
    Promise.all([
      first.speech.create(requests[0]),
      second.speech.create(requests[1]),
      errorOf(stranger.speech.create({ text: 'The third client.' })),
    ]),
  );
  for (const [first, two, error] of await Promise.all(rounds)) {
    expect(Buffer.compare(await first.bytes(), expected[0] ?? new Uint8Array())).toBe(0);
    expect(Buffer.compare(await two.bytes(), expected[1] ?? new Uint8Array())).toBe(0);
    expect(error).toBeInstanceOf(AuthenticationError);
  }
});
