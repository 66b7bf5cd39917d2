import { writeWavHeader } from '@speech-api/audio';
import { ApiError, type SpeechClient } from '@speech-api/client';
import { expect, test } from 'vitest';
import { errorOf } from '../testing/error-of.ts';
import { sandboxKey, useOwnSandbox } from '../testing/use-sandbox.ts';
import { prismCalls, usePrism } from './prism-calls.ts';

// The sandbox behind `prism proxy --errors`, which answers 422 or 500 in its own words for a request or an answer that
// breaks the document. It turns bodies into text, so uploads stay without it, and audio is not read.

const sandbox = useOwnSandbox();
const url = usePrism('proxy', () => [sandbox.url]);
const proxied = (apiKey = sandboxKey) => sandbox.client({ apiKey, baseUrl: url(), retry: { retries: 0 } });

const sample = Buffer.concat([writeWavHeader({ sampleRate: 8000, dataBytes: 16_000 }), Buffer.alloc(16_000)]);
const voice = { type: 'tts', title: 'a', train_mode: 'fast', visibility: 'private', voices: sample } as const;

test.each(prismCalls.filter(({ uploads }) => !uploads))(
  'the sandbox answers $operationId $way by the document',
  async ({ perform }) => {
    const { _id } = await sandbox.client().models.create(voice);
    // Prism's refusal names the violation in its body.
    await perform(proxied(), _id).catch(({ body, message }: ApiError) =>
      expect(body ?? message).toBeUndefined(),
    );
  },
);

const speak = async ({ speech }: SpeechClient) => (await speech.create({ text: 'a' })).cancel();

test.each<[status: number, key: string, perform: (client: SpeechClient) => Promise<unknown>]>([
  [400, sandboxKey, async ({ speech }) => speech.create({ text: 'a', reference_id: 'nobody' })],
  [401, 'nobody', speak],
  [402, 'sandbox-empty', speak],
  [403, 'sandbox-forbidden', speak],
  [404, sandboxKey, async ({ models }) => models.get('nobody')],
  [429, 'sandbox-busy', speak],
])('the sandbox refuses with %i by the document', async (status, key, perform) => {
  const error = await errorOf(perform(proxied(key)));
  expect(ApiError.isInstance(error)).toBe(true);
  // Prism's own refusals have a `type`.
  expect(error).toHaveProperty('body', { status, message: expect.any(String) });
});
