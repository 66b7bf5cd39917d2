import { limits, refusals } from '@speech-api/types';
import { expect, test } from 'vitest';
import { Refusal } from '../refuse/refusal.ts';
import {
  formOf,
  json,
  lenient,
  multipart,
  receiver,
  refusalOf,
  requestOf,
  type Sent,
} from './testing/receiving.ts';

test('gives the operation, its parameters and the body of a good request', async () => {
  const call = await receiver.receive(requestOf({ body: '{"text":"a"}' }), {});
  expect(call).toMatchObject({
    operation: { id: 'createSpeech' },
    headers: { model: 's2-pro' },
    body: { text: 'a' },
  });
  const update = requestOf({
    method: 'PATCH',
    url: '/model/x%20y',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'title=New+name&tags=a&tags=b',
  });
  expect(await receiver.receive(update, {})).toMatchObject({
    operation: { id: 'updateModel' },
    path: { id: 'x y' },
    body: { title: 'New name', tags: ['a', 'b'] },
  });
  const list = requestOf({ method: 'GET', url: '/model?page_size=5&tag=a', headers: {} });
  expect(await receiver.receive(list, {})).toMatchObject({ query: { page_size: 5, tag: ['a'] } });
});

test("makes a server's own checks between those of the spec, in the order of the data", async () => {
  const made: string[] = [];
  const note = (id: string) => () => void made.push(id);
  const ids = refusals.filter((entry) => entry.stage === 'head').map((entry) => entry.id);
  const own = new Set(['unknown-path', 'unknown-method', 'media-type']);
  const checks = Object.fromEntries(ids.filter((id) => !own.has(id)).map((id) => [id, note(id)]));
  const failing = { ...checks, credit: () => Promise.reject(new Refusal('credit', { message: 'none' })) };
  const refusal = await refusalOf({ headers: { 'content-type': 'text/plain' } }, failing);
  expect(refusal.entry.id).toBe('credit');
  expect(made).toEqual(ids.slice(0, ids.indexOf('credit')).filter((id) => !own.has(id)));
});

test('asks for the body only when the head is good', async () => {
  let asked = 0;
  const ask = (): void => {
    asked += 1;
  };
  await expect(receiver.receive(requestOf({ headers: {} }), {}, ask)).rejects.toThrow('Content-Type');
  const large = requestOf({ headers: { ...json, 'content-length': '99999999999' } });
  await expect(receiver.receive(large, {}, ask)).rejects.toThrow('larger than');
  expect(asked).toBe(0);
  await receiver.receive(requestOf({ body: '{"text":"a"}' }), {}, ask);
  expect(asked).toBe(1);
});

test('refuses the data of every mutation of good requests, never with an internal error', async () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const good: readonly (Sent & { readonly body?: string | Uint8Array })[] = [
    {
      url: '/v1/tts',
      body: '{"text":"a","format":"wav","prosody":{"speed":1.5},"references":[{"audio":"AAAA","text":"b"}]}',
    },
    {
      url: '/v1/tts/stream/with-timestamp',
      body: '{"text":"<|speaker:0|>a","reference_id":["x","y"],"sample_rate":null}',
    },
    { url: '/model?page_size=2&tag=a&tag=b&self=true', method: 'GET', headers: {} },
    {
      url: '/v1/asr',
      headers: multipart,
      body: formOf([['name="audio"; filename="a"', 'abc']]),
    },
    {
      url: '/model/1',
      method: 'PATCH',
      headers: { 'content-type': 'application/msgpack' },
      body: Buffer.from([0x81, 0xa5, ...Buffer.from('title'), 0xa1, 0x61]),
    },
  ];
  const mutate = (bytes: Buffer): Buffer => {
    const mutated = Buffer.from(bytes);
    for (let round = 0; round <= random(3); round += 1) mutated[random(mutated.length)] = random(256);
    return mutated.subarray(0, random(4) === 0 ? random(mutated.length) : mutated.length);
  };
  const outcomes = new Map<string, number>();
  for (let round = 0; round < 3_000; round += 1) {
    const sent = good[random(good.length)] ?? {};
    const url = random(3) === 0 ? mutate(Buffer.from(sent.url ?? '')).toString('latin1') : sent.url;
    const body = sent.body === undefined ? '' : mutate(Buffer.from(sent.body));
    const outcome = await receiver
      .receive(requestOf({ ...sent, ...(url === undefined ? {} : { url }), body }), {})
      .then(() => 'received')
      .catch((error: unknown) => (error instanceof Refusal ? error.entry.id : String(error)));
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  const known = new Set(['received', ...refusals.map((entry) => entry.id)]);
  expect([...outcomes.keys()].filter((outcome) => !known.has(outcome))).toEqual([]);
  expect(outcomes.get('received')).toBeGreaterThan(50);
  expect(outcomes.get('malformed-body')).toBeGreaterThan(50);
  expect(outcomes.get('schema')).toBeGreaterThan(50);
});

test('tells the names of the files of a form, in their order', async () => {
  const fields = Object.entries({ type: 'tts', title: 'Harbour', train_mode: 'fast', visibility: 'private' });
  const body = formOf([
    ...fields.map(([name, value]) => [`name="${name}"`, value] as const),
    ['name="voices"; filename="one.wav"', 'a'],
    ['name="voices"; filename="../two.wav"', 'b'],
  ]);
  const call = await receiver.receive(requestOf({ url: '/model', headers: multipart, body }), {});
  expect([...call.fileNames]).toEqual([['voices', ['one.wav', 'two.wav']]]);
});

test('says of an unknown path which there are, and which was probably meant', async () => {
  const refusal = await refusalOf({ url: '/v1/ttss' });
  expect(refusal.entry.id).toBe('unknown-path');
  expect(refusal.message).toMatch(/Did you mean \/v1\/tts\?.*\/v1\/asr.*\/wallet\/\{user_id\}\/package/);
  expect((await refusalOf({ url: `/${'x'.repeat(5000)}` })).message.length).toBeLessThan(500);
});

test('refuses a file that is too large before it looks at the other fields', async () => {
  const file = [
    'name="audio"; filename="a"',
    'a'.repeat(limits.transcriptionFileBytesRefusedAbove + 1),
  ] as const;
  for (const fields of [[], [['name="langage"', 'en'] as const]]) {
    const refusal = await refusalOf({ url: '/v1/asr', headers: multipart, body: formOf([file, ...fields]) });
    expect([refusal.status, refusal.entry.id]).toEqual([413, 'file-too-large']);
  }
});

test('says on the endpoints of voice models which part of a request is wrong', async () => {
  const query = await refusalOf({ method: 'GET', url: '/model?page_size=0', headers: {} });
  expect(query.issues).toMatchObject([{ in: 'query', loc: ['query', 'page_size'] }]);
  const headers = { 'content-type': 'application/json' };
  const body = await refusalOf({ method: 'PATCH', url: '/model/a', headers, body: '{' });
  expect(body.issues).toMatchObject([{ in: 'body', loc: ['body'] }]);
  expect((await refusalOf({ body: '{' })).issues[0]).not.toHaveProperty('in');
});

test('tells what a lenient server has let pass', async () => {
  const body = '{"text":"a","temprature":1,"references":[{"audio":"AAAA","text":"b"}]}';
  const call = await lenient.receive(requestOf({ body }), {});
  expect(call.tolerated).toMatchObject([{ loc: ['body', 'temprature'] }]);
  expect(call.body).toEqual({ text: 'a', references: [{ audio: Buffer.from('AAAA', 'base64'), text: 'b' }] });
  expect((await lenient.receive(requestOf({ body: '{"text":"a"}' }), {})).tolerated).toEqual([]);
});
