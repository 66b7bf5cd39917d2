import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { decode } from '@speech-api/msgpack';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AbortError, type CallOptions, type SpeechClient } from '../index.ts';
import { openAudioFile } from '../node.ts';
import { clientOf, tone } from '../testing/samples.ts';
import { sendJson, startServer } from '../testing/start-server.ts';
import { bodyFor, encode } from './encode.ts';

const pcmType = { 'content-type': 'audio/pcm' };
const sample = new Uint8Array(700_000).map((_, index) => index * 7);
const references = [
  { audio: sample, text: 'Bytes.' },
  { audio: new Blob([sample]), text: 'A blob.' },
];
const request = { text: 'Hello.', format: 'pcm', references } as const;

test('the pieces that are sent are the memory of the caller, and small enough to stop between', async () => {
  let length = 0;
  const encoded = encode({ audio: sample }, 'multipart/form-data');
  for await (const piece of (await bodyFor(encoded, true)) as ReadableStream<Uint8Array>) {
    expect(piece.length).toBeLessThanOrEqual(256 * 1024);
    if (piece.buffer === sample.buffer) length += piece.length;
  }
  expect(length).toBe(sample.length);
});

test.each([
  ['as a stream of known length', {}],
  ['as one array to a fetch of the caller', { fetch: (...args: Parameters<typeof fetch>) => fetch(...args) }],
  ['past a middleware', { middleware: true }],
])(
  'parts are sent %s, and the same again when tried again',
  async (_name, { middleware, ...options }: object & { middleware?: boolean }) => {
    const server = await startServer((_request, response) =>
      server.seen.length === 1 ? response.writeHead(503).end() : response.writeHead(200, pcmType).end(tone()),
    );
    const client = clientOf(server.url, { ...options, retry: { methods: ['POST'], minimumDelay: 0 } });
    if (middleware) client.http.use({ onRequest: () => undefined });
    const audio = await client.speech.create({ ...request, references });
    expect((await audio.bytes()).length).toBe(tone().length);
    expect(server.seen).toHaveLength(2);
    for (const { headers, body } of server.seen) {
      expect(headers['content-type']).toBe('application/msgpack');
      expect(headers['content-length']).toBe(String(body.length));
      expect(headers['transfer-encoding']).toBeUndefined();
      const decoded = decode(new Uint8Array(body)) as { references: { audio: Uint8Array }[] };
      // The bytes are compared by hand, because the test runner would take seconds for this many.
      const same = decoded.references.map(({ audio }) => Buffer.compare(audio, sample) === 0);
      expect(same).toEqual([true, true]);
    }
  },
);

const formOf = (audio: Blob): FormData => {
  const form = new FormData();
  form.append('audio', audio, 'a "b".wav');
  form.append('language', 'en');
  return form;
};
type Upload = (client: SpeechClient, audio: Blob, options?: CallOptions) => Promise<unknown>;
const uploads: Readonly<Record<string, Upload>> = {
  'a recording': ({ transcriptions }, audio, options) => transcriptions.create({ audio }, options),
  'a reference': ({ speech }, audio, options) =>
    speech.create({ text: 'Hello.', references: [{ audio, text: 'Hi.' }] }, options),
  'a form by client.http': ({ http }, audio, options) =>
    http.POST('/v1/asr', { body: formOf(audio) as never, signal: options?.signal ?? null }),
};

// A rejection that nobody handles fails the run.
test.each(Object.entries(uploads))(
  '%s that is aborted or changed is sent no further',
  async (_name, upload) => {
    const server = await startServer(() => undefined);
    const controller = new AbortController();
    const { signal } = controller;
    const apiKey = (): string => {
      controller.abort();
      return 'key';
    };
    await expect(upload(clientOf(server.url, { apiKey }), new Blob([sample]), { signal })).rejects.toThrow(
      AbortError,
    );
    expect(server.openSockets()).toBe(0);

    const later = new AbortController();
    const sending = upload(clientOf(server.url), new Blob([sample]), { signal: later.signal });
    sending.catch(() => undefined);
    await expect.poll(() => server.openSockets()).toBe(1);
    later.abort();
    await expect(sending).rejects.toThrow(AbortError);
    await expect.poll(() => server.openSockets()).toBe(0);

    const folder = await mkdtemp(join(tmpdir(), 'upload-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'growing.wav');
    await writeFile(path, new Uint8Array(15_000_000));
    const client = clientOf(server.url, { timeouts: { total: 5000 } });
    const audio = await openAudioFile(path);
    await writeFile(path, 'shorter');
    await expect(upload(client, audio)).rejects.toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining('could not be read'),
    });
  },
);

const formHeader = { 'content-type': 'multipart/form-data' };
const clip = new File([tone()], 'a "b".wav', { type: 'audio/wav' });

test.each([
  ['an object with the media type', { body: { audio: clip, language: 'en' }, headers: formHeader }],
  ['a FormData', { body: formOf(clip) }],
  ['a FormData with the media type', { body: formOf(clip), headers: formHeader }],
  ['what a serializer of the caller makes', { body: {}, bodySerializer: () => formOf(clip) }],
])('client.http sends %s as a form of known length with its boundary', async (_name, init) => {
  const server = await startServer((_request, response) => sendJson(response, {}));
  await clientOf(server.url).http.POST('/v1/asr', init as never);
  const [{ headers, body } = { headers: {}, body: Buffer.of() }] = server.seen;
  expect(headers['content-length']).toBe(String(body.length));
  const type = { 'content-type': headers['content-type'] ?? '' };
  const form = await new Response(new Uint8Array(body), { headers: type }).formData();
  expect(form.get('language')).toBe('en');
  expect(form.get('audio')).toMatchObject({ name: 'a "b".wav', type: 'audio/wav', size: tone().length });
});

test.each([
  ['an object with bytes as MessagePack', { ...request, references: [{ audio: tone(), text: 'Hi.' }] }, {}],
  ['an object as MessagePack if it is asked for', request, { 'content-type': 'application/msgpack' }],
])('client.http sends %s', async (_name, body, headers) => {
  const server = await startServer((_request, response) => sendJson(response, {}));
  await clientOf(server.url).http.POST('/v1/tts', { body, headers } as never);
  expect(server.seen[0]?.headers['content-type']).toBe('application/msgpack');
  expect(decode(new Uint8Array(server.seen[0]?.body ?? []))).toMatchObject({ text: 'Hello.' });
});

test("a call's own content-type and content-length change neither a form nor MessagePack", async () => {
  const server = await startServer((_request, response) => sendJson(response, { text: 'Hi.', duration: 1 }));
  const { transcriptions } = clientOf(server.url);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': '5' };
  await transcriptions.create({ audio: tone(), language: 'en' }, { headers });
  await transcriptions.create({ audio: tone() }, { headers, contentType: 'application/msgpack' });
  const [form, packed] = server.seen.map(({ headers: sent }) => String(sent['content-type']));
  const body = new Uint8Array(server.seen[0]?.body ?? []);
  const read = await new Response(body, { headers: { 'content-type': form ?? '' } }).formData();
  expect([read.get('language'), packed]).toEqual(['en', 'application/msgpack']);
});

// Jest runs tests in a realm of its own.
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

test('files are read by themselves where parts are joined, and a file that is cut is not sent', async () => {
  // A Blob made of this one is empty, as one made of a file is in Bun.
  class OpenedFile extends Blob {
    override size = 18;
    override arrayBuffer = async () => tone(9).buffer;
  }
  const body = await bodyFor(encode({ audio: new OpenedFile() }, 'multipart/form-data'), false);
  expect(Buffer.from(body as Uint8Array).includes(Buffer.from(tone(9)))).toBe(true);
  const cut = Object.assign(new OpenedFile(), { size: 100 });
  await expect(bodyFor(encode({ audio: cut }, 'multipart/form-data'), false)).rejects.toThrow(
    /\d+ bytes in place of/,
  );
});

test('a Blob that only a FileReader can read, as in jsdom, is sent', async () => {
  class PageReader {
    result: unknown;
    onload = () => undefined;
    readAsArrayBuffer(blob: Blob) {
      void new Response(blob.slice()).arrayBuffer().then((bytes) => {
        this.result = bytes;
        this.onload();
      });
    }
  }
  vi.stubGlobal('FileReader', PageReader);
  onTestFinished(() => void vi.unstubAllGlobals());
  const audio = Object.assign(new Blob([tone(9)]), { arrayBuffer: undefined });
  const body = await bodyFor(encode({ audio }, 'multipart/form-data'), false);
  expect(Buffer.from(body as Uint8Array).includes(Buffer.from(tone(9)))).toBe(true);
});

test('a Blob that the runtime calls an Object, as workers of 2024 do, is a Blob', async () => {
  const blob = Object.defineProperty(new Blob([tone(9)]), Symbol.toStringTag, { value: 'Object' });
  for (const type of ['multipart/form-data', 'application/msgpack']) {
    const body = await bodyFor(encode({ audio: blob }, type), false);
    expect(Buffer.from(body as Uint8Array).includes(Buffer.from(tone(9)))).toBe(true);
  }
});
