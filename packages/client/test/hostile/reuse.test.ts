import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { clientOf, tone, voiceOf } from '../../src/testing/samples.ts';
import { sendJson, startServer } from '../../src/testing/start-server.ts';

// A program that uses the objects of a call again before the call is done, or that makes them in its own way.

const audioServer = () =>
  startServer((_request, response) => response.writeHead(200, { 'content-type': 'audio/pcm' }).end(tone()));
const jsonOf = (body: Buffer) => JSON.parse(body.toString()) as Record<string, unknown>;

test.each(['create', 'streamWithTimestamps'] as const)(
  'each speech.%s sends what its request said when the call was made',
  async (method) => {
    const server = await audioServer();
    const { speech } = clientOf(server.url);
    const request = { text: '', format: 'pcm' as const, prosody: { speed: 1 } };
    const calls: PromiseLike<unknown>[] = [];
    for (const chapter of [1, 2, 3]) {
      request.text = `chapter ${chapter}`;
      request.prosody.speed = chapter / 2;
      calls.push(speech[method](request));
    }
    await Promise.allSettled(calls);
    const said = server.seen.map(({ body }) => jsonOf(body));
    expect(said.map(({ text }) => text).sort()).toEqual(['chapter 1', 'chapter 2', 'chapter 3']);
    for (const { text, prosody } of said) expect(prosody).toEqual({ speed: Number(String(text).at(-1)) / 2 });
  },
);

test('headers and encodings that change after the call change nothing either', async () => {
  const server = await startServer((_request, response) => sendJson(response, {}));
  const headers: Record<string, string> = { 'x-name': 'first' };
  const changes = { title: 'first' };
  const options: { headers: object; contentType: string } = { headers, contentType: 'application/json' };
  const call = clientOf(server.url).models.update('voice', changes, options as object);
  headers['x-name'] = 'second';
  changes.title = 'second';
  options.contentType = 'application/msgpack';
  await call;
  const [seen] = server.seen;
  expect(seen?.headers).toMatchObject({ 'x-name': 'first', 'content-type': 'application/json' });
  expect(jsonOf(seen?.body as Buffer)).toEqual({ title: 'first' });
});

test('headers may be an object of the platform', async () => {
  const server = await audioServer();
  const headers = new Headers({ 'x-name': 'value' }) as unknown as Record<string, string>;
  await (await clientOf(server.url).speech.create({ text: 'Hi.', format: 'pcm' }, { headers })).bytes();
  expect(server.seen[0]?.headers['x-name']).toBe('value');
});

test('a filter that changes after the call changes no page', async () => {
  const server = await startServer((_request, response) =>
    sendJson(response, {
      total: 2,
      items: [voiceOf(`a${server.seen.length}`)],
      has_more: server.seen.length < 2,
    }),
  );
  const filters = { title: 'first', tag: ['calm'] };
  const list = clientOf(server.url).models.list(filters);
  filters.title = 'second';
  filters.tag.push('warm');
  for await (const _model of list);
  expect(server.seen.map(({ url }) => url)).toEqual([
    '/model?title=first&tag=calm&page_number=1',
    '/model?title=first&tag=calm&page_number=2',
  ]);
});

test('an inherited field is neither judged nor sent', async () => {
  const server = await audioServer();
  const request = Object.assign(Object.create({ sample_rate: 48000 }), { text: 'Hi.', format: 'pcm' });
  await (await clientOf(server.url).speech.create(request)).bytes();
  expect(jsonOf(server.seen[0]?.body as Buffer)).toEqual({ text: 'Hi.', format: 'pcm' });
});

test('an own field named __proto__ is sent as what it is', async () => {
  const server = await audioServer();
  const request = JSON.parse('{"text":"Hi.","format":"pcm","__proto__":{"sample_rate":1}}');
  await (await clientOf(server.url).speech.create(request)).bytes();
  expect(server.seen[0]?.body.toString()).toBe('{"text":"Hi.","format":"pcm","__proto__":{"sample_rate":1}}');
});

test.each(['new ArrayBuffer(8)', 'new Uint8Array(8)', 'new DataView(new ArrayBuffer(8))'])(
  '%s of another realm can be sent',
  async (made) => {
    const server = await startServer((request, response) =>
      request.url.startsWith('/v1/asr')
        ? sendJson(response, { text: 'Hi.', duration: 1 })
        : response.end(tone()),
    );
    const { speech, transcriptions } = clientOf(server.url);
    const audio = runInNewContext(made) as Uint8Array<ArrayBuffer>;
    await (await speech.create({ text: 'Hi.', format: 'pcm', references: [{ audio, text: 'x' }] })).bytes();
    expect((await transcriptions.create({ audio })).text).toBe('Hi.');
    expect(server.seen[0]?.body.includes(Buffer.from([0xc4, 8, 0, 0, 0, 0, 0, 0, 0, 0]))).toBe(true);
    expect(server.seen[1]?.body.includes(Buffer.alloc(8))).toBe(true);
  },
);

test('a body whose bytes come from another realm is read', async () => {
  const bytes = runInNewContext('new Uint8Array([1, 0, 2, 0])') as Uint8Array;
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const fetch = async () => new Response(body, { headers: { 'content-type': 'audio/pcm' } });
  const audio = await clientOf('http://127.0.0.1:9', { fetch }).speech.create({ text: 'Hi.', format: 'pcm' });
  expect([...(await audio.bytes())]).toEqual([1, 0, 2, 0]);
});
