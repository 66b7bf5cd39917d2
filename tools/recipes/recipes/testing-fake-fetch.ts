// # Tests of your own code with a fake fetch
// Without a server at all: `fetch` is an option of the client, and a Response is a Response.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSpeechClient, ServerError, type SpeechClient } from '@speech-api/client';

/** A voice with every field that the client requires of an answer. */
const ann = {
  _id: 'a1',
  type: 'tts',
  title: 'Ann',
  state: 'trained',
  tags: [],
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  visibility: 'private',
  like_count: 0,
  mark_count: 0,
  shared_count: 0,
  task_count: 0,
  author: { _id: 'u1', nickname: 'me', avatar: '' },
};

/** Your own code: it gets its client from outside, so that a test can give it another. */
async function listVoices(client: SpeechClient): Promise<string[]> {
  const { items } = await client.models.list({ self: true });
  return items.map(({ title }) => title);
}

function clientThatGets(answer: () => Response, sent: Request[] = []): SpeechClient {
  return createSpeechClient({
    baseUrl: 'https://speech.invalid',
    apiKey: 'any-key',
    retry: { retries: 0 },
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      return answer();
    },
  });
}

test('lists the titles of my voices', async () => {
  const sent: Request[] = [];
  const client = clientThatGets(() => Response.json({ total: 1, items: [ann], has_more: false }), sent);
  assert.deepEqual(await listVoices(client), ['Ann']);
  assert.equal(new URL(sent[0]?.url ?? '').searchParams.get('self'), 'true');
});

test('does not hide an outage', async () => {
  const client = clientThatGets(() => new Response('down for maintenance', { status: 503 }));
  await assert.rejects(listVoices(client), (error) => ServerError.isInstance(error));
});
