import { ApiError, createSpeechClient, type SpeechClient } from '@speech-api/client';
import { asObject } from '@speech-api/spec/read';
import type { OperationId } from '@speech-api/types';
import { expect, test } from 'vitest';
import { errorOf } from '../testing/error-of.ts';
import { prismCalls, usePrism } from './prism-calls.ts';
import { document, operations } from './specification.ts';

// The client against `prism mock --errors`: a stranger's reader of our document refuses nothing that the client sends,
// and the client reads every answer that the document promises.

const url = usePrism('mock');

/** What Prism says against the last request and its answer: `request.body.tags: Request body ...`. */
let violations: string[] = [];

const send: typeof fetch = async (address, init) => {
  const response = await fetch(address, init);
  const complaints: { location: string[]; message: string }[] = JSON.parse(
    response.headers.get('sl-violations') ?? '[]',
  );
  violations = complaints.map(({ location, message }) => `${location.join('.')}: ${message}`);
  return response;
};

function clientOf(headers: Readonly<Record<string, string>> = {}, apiKey: string | null = 'any-key') {
  return createSpeechClient({ apiKey, baseUrl: url(), headers, retry: { retries: 0 }, fetch: send });
}

/** Every answer that the document promises for an operation: each example of each status. */
const answers = document.operations().flatMap(({ id, responses }) =>
  [...responses].flatMap(([code, { content }]) => {
    const answer = { operationId: id, status: Number(code), prefer: `code=${code}`, body: undefined };
    const examples = Object.entries(asObject(asObject(asObject(content)['application/json']).examples));
    if (examples.length === 0) return [answer];
    return examples.map(([name, example]) => {
      const prefer = `${answer.prefer}, example=${name}`;
      return { ...answer, prefer, body: document.resolve(example).value };
    });
  }),
);

const successes = prismCalls.flatMap((call) =>
  answers
    .filter(({ operationId, status }) => operationId === call.operationId && status < 300)
    .map((answer) => ({ ...call, ...answer })),
);

test.each(successes)(
  '$operationId $way sends nothing that Prism refuses, and reads $prefer',
  async ({ perform, prefer, body }) => {
    const answer = await perform(clientOf({ prefer }), 'a voice/of mine').catch((error: unknown) => error);
    expect(violations).toEqual([]);
    expect(answer).toEqual(body);
  },
);

const refusals = answers.flatMap((answer) => {
  const call = prismCalls.find(({ operationId }) => operationId === answer.operationId);
  return call !== undefined && answer.status >= 400 ? [{ ...call, ...answer }] : [];
});

test.each(refusals)('$operationId: $prefer is an error with its body', async ({ perform, ...refusal }) => {
  const { operationId, status, prefer, body } = refusal;
  // Prism refuses a call without a key by itself.
  const client = status === 401 ? clientOf({}, null) : clientOf({ prefer });
  const error = await errorOf(perform(client, 'a'));
  expect(ApiError.isInstance(error)).toBe(true);
  expect(error).toMatchObject({ operationId, status, body, issues: Array.isArray(body) ? body : [] });
});

interface PrismLimit {
  readonly what: string;
  readonly reason: string;
  readonly perform: (client: SpeechClient) => Promise<unknown>;
  readonly outcome: string;
}

const voices = new File([new Uint8Array(100)], 'sample.wav');
const voice = { type: 'tts', title: 'a', train_mode: 'fast', visibility: 'private', voices } as const;

/** What stays without Prism. requests.test.ts has its validators judge the decoded requests of all of these. */
const limits: readonly PrismLimit[] = [
  {
    what: 'createModel as a form',
    reason: 'it reads a file as text, and refuses one that is not in a list',
    perform: async ({ models }) => models.create(voice, { contentType: 'multipart/form-data' }),
    outcome: 'request.body.voices: Request body property voices must be array',
  },
  {
    what: 'MessagePack',
    reason: 'it reads the bytes as text',
    perform: async ({ models }) => models.create(voice, { contentType: 'application/msgpack' }),
    outcome: 'request.body: Request body must be object',
  },
  {
    what: 'an asterisk in the tags of a urlencoded form',
    reason: 'it decodes the tags first, and then refuses what should have been encoded',
    perform: async ({ models }) =>
      models.update('a', { tags: '*' }, { contentType: 'application/x-www-form-urlencoded' }),
    outcome: 'request.body.tags: Reserved characters used in request body',
  },
  {
    what: 'a part of a form that is repeated',
    reason: 'it keeps the last, and lets any other pass',
    perform: async () => {
      const body = new FormData();
      for (const visibility of ['no such word', 'private']) body.append('visibility', visibility);
      return send(`${url()}/model/a`, { method: 'PATCH', headers: { authorization: 'Bearer a' }, body });
    },
    outcome: 'accepted',
  },
  {
    what: 'audio',
    reason: 'its body is the text of an example',
    perform: async ({ speech }) => (await speech.create({ text: 'a', format: 'mp3' })).bytes(),
    outcome: 'the body is no mp3 audio',
  },
  {
    what: 'a recording above 10 MB',
    reason: 'it has a limit of its own',
    perform: async ({ transcriptions }) =>
      transcriptions.create({ audio: new File([new Uint8Array(11_000_000)], 'a.wav') }),
    outcome: '413 Body exceeded 10mb limit',
  },
];

test.each(limits)('Prism cannot judge $what: $reason', async ({ perform, outcome }) => {
  violations = [];
  const accepted = perform(clientOf()).then(() => 'accepted');
  expect(await accepted.catch(({ message }: Error) => violations[0] ?? message)).toContain(outcome);
});

test('only the creation of a model is left to the validators alone', () => {
  const called = new Set(prismCalls.map(({ operationId }) => operationId));
  const missing = operations.filter(({ operationId }) => !called.has(operationId as OperationId));
  expect(missing.map(({ operationId }) => operationId)).toEqual(['createModel']);
});

const keyed = { authorization: 'Bearer a', 'content-type': 'application/json' };
const headers = { ...keyed, model: 's2-pro' };
const flat = '{"text":"a","reference_id":["a"],"references":[{"audio":"AA==","text":"b"}]}';

test.each([
  ['flat samples in a dialogue', { headers, body: flat }, 422, 'request.body: '],
  ['no model', { headers: keyed, body: '{"text":"a"}' }, 422, 'request.header: '],
  ['another media type', { headers: { ...headers, 'content-type': 'text/xml' }, body: '<a/>' }, 415, ''],
])('Prism refuses %s, which the client never sends', async (_what, init, status, place) => {
  expect((await send(`${url()}/v1/tts`, { method: 'POST', ...init })).status).toBe(status);
  expect(violations.join()).toContain(place);
});
