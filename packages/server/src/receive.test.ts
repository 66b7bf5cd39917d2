import { expect, test } from 'vitest';
import { Refusal } from './answer.ts';
import { createReceiver, type IncomingRequest, refuseBrokenModelRule } from './receive.ts';

/** A test request, by default a synthesis in JSON. */
interface Sent {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | object;
}

const receiver = createReceiver();
const lenient = createReceiver({ lenient: true });
const json = { 'content-type': 'application/json', model: 's2-pro' };
const multipart = { 'content-type': 'multipart/form-data; boundary=xx' };

/** @param body an object becomes JSON */
function requestOf({ method = 'POST', url = '/v1/tts', headers = json, body = '' }: Sent): IncomingRequest {
  const isWritten = typeof body === 'string' || body instanceof Uint8Array;
  return { method, url, headers, body: [Buffer.from(isWritten ? body : JSON.stringify(body))] };
}

/** @throws Error when the request is received */
async function refusalOf(sent: Sent): Promise<Refusal> {
  const outcome = await receiver.receive(requestOf(sent), {}).catch((error: unknown) => error);
  if (outcome instanceof Refusal) return outcome;
  throw outcome instanceof Error ? outcome : new Error('the request was received');
}

/** The issues of a request that its schemas do not allow, and none of one that they allow. */
async function issuesOf(sent: Sent): Promise<readonly string[]> {
  const outcome = await receiver.receive(requestOf(sent), {}).catch((error: unknown) => error);
  if (outcome instanceof Error && !(outcome instanceof Refusal)) throw outcome;
  const issues = outcome instanceof Refusal ? outcome.issues : [];
  return issues.map(({ loc, type }) => `${loc.join('/')} ${type}`);
}

/** Parts of a form, each by its head and content. */
function formOf(parts: readonly (readonly [head: string, content: string])[]): string {
  const written = parts.map(
    ([head, content]) => `--xx\r\ncontent-disposition: form-data; ${head}\r\n\r\n${content}\r\n`,
  );
  return `${written.join('')}--xx--\r\n`;
}

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

test('asks for the body only when the head is good', async () => {
  let count = 0;
  const receive = (headers: Readonly<Record<string, string>>) => {
    const body = (function* () {
      count += 1;
      yield Buffer.from('{"text":"a"}');
    })();
    return receiver.receive({ ...requestOf({ headers }), body }, {});
  };
  await expect(receive({})).rejects.toThrow('Content-Type');
  await expect(receive({ ...json, 'content-length': '99999999999' })).rejects.toThrow('larger than');
  expect(count).toBe(0);
  await receive(json);
  expect(count).toBe(1);
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

test.each([
  ['self=true&licensed=false&page_size=100&title=5&tag=a&tag=b', []],
  ['self=1', ['query/self boolean_type']],
  ['self=', ['query/self boolean_type']],
  ['page_size=1e1', ['query/page_size integer_type']],
  ['page_size=', ['query/page_size integer_type']],
  ['page_size=0', ['query/page_size greater_than_equal']],
  ['page_size=5&page_size=5', ['query/page_size integer_type']],
  ['sort_by=size', ['query/sort_by enum']],
  ['titel=a', ['query/titel extra_forbidden']],
])('reads the text of the query %s by its schemas', async (query, issues) => {
  expect(await issuesOf({ method: 'GET', url: `/model?${query}`, headers: {} })).toEqual(issues);
});

const clip = ['audio"; filename="a.wav', 'RIFF'] as const;

test.each([
  [[clip, ['language', '5'], ['diarize', 'true'], ['num_speakers', '2']], []],
  [[clip, ['diarize', 'auto']], []],
  [[clip, ['diarize', '1']], ['body/diarize enum']],
  [[clip, ['ignore_timestamps', '']], ['body/ignore_timestamps boolean_type']],
  [[clip, ['num_speakers', '1e0']], ['body/num_speakers integer_type']],
  [[clip, ['language', 'en'], ['language', 'de']], ['body/language string_type']],
  [[clip, ['langage', 'en']], ['body/langage extra_forbidden']],
  [[clip, clip], ['body/audio string_type']],
  [[['audio', 'RIFF']], ['body/audio binary']],
  [[['audio"; filename="a.wav', '']], ['body/audio binary']],
  [[], ['body/audio missing']],
] as const)('reads the text and the files of the form %j by its schema', async (fields, issues) => {
  const body = formOf(fields.map(([name, value]) => [`name="${name}"`, value]));
  expect(await issuesOf({ url: '/v1/asr', headers: multipart, body })).toEqual(issues);
});

test('asks for the header that an operation requires', async () => {
  const headers = { 'content-type': 'application/json' };
  expect(await issuesOf({ headers, body: { text: 'a' } })).toEqual(['header/model missing']);
});

test('says of an unknown path which there are, and which was probably meant', async () => {
  const refusal = await refusalOf({ url: '/v1/ttss' });
  expect(refusal.entry.id).toBe('unknown-path');
  expect(refusal.message).toMatch(/Did you mean \/v1\/tts\?.*\/v1\/asr.*\/wallet\/\{user_id\}\/package/);
  expect((await refusalOf({ url: `/${'x'.repeat(5000)}` })).message.length).toBeLessThan(500);
});

test.each(['/v1', '/v1/tts/', '/v1/ttsx', '/model/', '/model/a/b', '//model', '/__proto__', '/model/%ff'])(
  'has nothing at %s',
  async (url) => {
    expect((await refusalOf({ method: 'GET', url })).entry.id).toBe('unknown-path');
  },
);

test('lists the methods of a path', async () => {
  const { entry, headers } = await refusalOf({ method: 'PUT', url: '/model/x' });
  expect([entry.id, headers.allow]).toEqual(['unknown-method', 'GET, PATCH, DELETE']);
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

// Each other rule has requests that it accepts and refuses, which the end-to-end tests send to both servers.

test('allows as many texts for a voice model as there are recordings, and no more', () => {
  const voices = Uint8Array.of(1);
  const model = { type: 'tts', title: 'a', train_mode: 'fast', visibility: 'private', voices } as const;
  expect(() => refuseBrokenModelRule({ ...model, texts: ['a'] })).not.toThrow();
  expect(() => refuseBrokenModelRule({ ...model, texts: ['a', 'b'] })).toThrow('texts has 2');
});
