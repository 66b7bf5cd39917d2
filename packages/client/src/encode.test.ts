import { decode } from '@speech-api/msgpack';
import { expect, test } from 'vitest';
import { streamParts } from './send-binary.ts';
import { clientOf, tone } from './testing/samples.ts';
import { startServer } from './testing/start-server.ts';

const pcmType = { 'content-type': 'audio/pcm' };
const sample = new Uint8Array(700_000).map((_, index) => index * 7);
const references = [
  { audio: sample, text: 'Bytes.' },
  { audio: new Blob([sample]), text: 'A blob.' },
];
const request = { text: 'Hello.', format: 'pcm', references } as const;

test('the pieces that are sent are the memory of the caller, and small enough to stop between', async () => {
  let length = 0;
  for await (const piece of streamParts([sample], sample.length)) {
    expect(piece.buffer).toBe(sample.buffer);
    expect(piece.length).toBeLessThanOrEqual(256 * 1024);
    length += piece.length;
  }
  expect(length).toBe(sample.length);
});

test.each([
  ['as a stream of known length', {}],
  ['as a Blob to a fetch of the caller', { fetch: (...args: Parameters<typeof fetch>) => fetch(...args) }],
  ['as a Blob past a middleware', { middleware: true }],
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
      // Not compared by the test runner, which takes seconds for so many bytes.
      const same = decoded.references.map(({ audio }) => Buffer.compare(audio, sample) === 0);
      expect(same).toEqual([true, true]);
    }
  },
);

test('an upload that is aborted ends its connection', async () => {
  const server = await startServer(() => undefined);
  const controller = new AbortController();
  const call = clientOf(server.url).speech.create({ ...request, references }, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  await expect.poll(() => server.openSockets()).toBe(0);
});
