import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openAudioFile } from '../../src/node.ts';
import { clientOf } from '../../src/testing/samples.ts';
import { startServer } from '../../src/testing/start-server.ts';

const clip = new Blob([new Uint8Array(100_000)]);

const unhandled: unknown[] = [];
const note = (reason: unknown): number => unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});

afterEach(async () => {
  // Node reports a rejection once the promises of the moment are settled.
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

type Upload = (
  client: ReturnType<typeof clientOf>,
  options: { readonly signal?: AbortSignal },
  audio: Blob,
) => Promise<unknown>;

function formOf(audio: Blob): FormData {
  const form = new FormData();
  form.append('audio', audio, 'clip.wav');
  return form;
}

const uploads: readonly (readonly [string, Upload])[] = [
  ['a recording', ({ transcriptions }, options, audio) => transcriptions.create({ audio }, options)],
  [
    'a reference',
    ({ speech }, options, audio) =>
      speech.create({ text: 'Hello.', references: [{ audio, text: 'Hi.' }] }, options),
  ],
  [
    'a form by client.http',
    ({ http }, options, audio) => http.POST('/v1/asr', { body: formOf(audio) as never, ...options }),
  ],
];

test.each(uploads)('%s that is aborted before it is sent sends nothing', async (_name, upload) => {
  const server = await startServer(() => undefined);
  const controller = new AbortController();
  const apiKey = (): string => {
    controller.abort();
    return 'key';
  };
  const client = clientOf(server.url, { apiKey, timeouts: { total: 5000 } });
  const call = upload(client, { signal: controller.signal }, clip);
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  expect(server.openSockets()).toBe(0);
});

test.each(uploads)(
  '%s that changes while it is sent is a ConnectionError that says so, at once',
  async (_name, upload) => {
    const folder = await mkdtemp(join(tmpdir(), 'upload-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'growing.wav');
    await writeFile(path, new Uint8Array(15_000_000));
    const file = await openAudioFile(path);
    const server = await startServer(() => undefined);
    const client = clientOf(server.url, { timeouts: { total: 5000 } });
    // The file changes after the client has checked it and before it is read.
    client.http.use({ onRequest: () => writeFile(path, 'shorter') });
    await expect(upload(client, {}, file)).rejects.toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining('could not be read'),
    });
  },
);
