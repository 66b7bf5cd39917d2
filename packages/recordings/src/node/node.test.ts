import { appendFile, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSpeechClient } from '@speech-api/client';
import { openJournal, openRecording } from '@speech-api/recordings/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutRecording } from '../cut-recording.ts';
import { partsOf, planRecording, transcribeRecording } from '../index.ts';
import { collect, mp3File, noise, wavFile, webmFile } from '../testing/files.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'speech-recordings-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const part = Uint8Array.of(1, 2, 3);
const key = 'a'.repeat(64);

test('a recording on the disk is opened without being read', async () => {
  const path = join(folder, 'short.wav');
  await writeFile(path, wavFile(noise(16_000), 16_000));
  const file = await openRecording(path);
  expect([file.name, file.size]).toEqual(['short.wav', 32_044]);
  await expect(openRecording(folder)).rejects.toThrow(/is not a file/);
});

test.each([
  ['wav', async () => wavFile(noise(16_000 * 12), 16_000)],
  ['webm', async () => webmFile(600)],
  ['mp3', async () => mp3File(noise(44_100 * 12))],
])(
  'a file of %s that grows while it is read is an error that names it, with the paid parts',
  async (extension, build) => {
    const path = join(folder, `growing.${extension}`);
    await writeFile(path, await build());
    const fetch = async (): Promise<Response> => {
      await appendFile(path, new Uint8Array(100_000));
      return Response.json({ text: 'words', duration: 5, segments: [] });
    };
    const client = createSpeechClient({ apiKey: 'any', baseUrl: 'http://127.0.0.1:1', fetch });
    const recording = await openRecording(path);
    await appendFile(path, new Uint8Array(1));
    await expect(planRecording(recording)).rejects.toThrow(`${path} changed while it was read`);
    const transcribing = transcribeRecording(client, await openRecording(path), {
      maximumSeconds: 5,
      acceptTruncated: true,
      jobs: 1,
    });
    const error = await transcribing.catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(`${path} changed while it was read`);
    expect(partsOf(error)[0]).toMatchObject({ index: 0, text: 'words' });
  },
);

test('a path that was not opened is refused, with what opens it', async () => {
  const message = 'the source is a string; for a path, use openRecording of @speech-api/recordings/node';
  const path = 'interview.mp3' as never;
  const transcribed = transcribeRecording(
    createSpeechClient({ apiKey: 'any', baseUrl: 'http://127.0.0.1:1' }),
    path,
  );
  for (const refused of [transcribed, planRecording(path), collect(cutRecording(path))])
    await expect(refused).rejects.toThrow(new TypeError(message));
});

test('a journal keeps nothing of a part that could not be written, or that a killed run was writing', async () => {
  const path = join(folder, 'unfinished');
  await mkdir(path);
  const unfinished = `${key}.00000000-0000-4000-8000-000000000000.partial`;
  for (const name of [unfinished, 'mine.partial']) await writeFile(join(path, name), part);
  await using journal = await openJournal(path);
  // A folder of this name prevents the file from being created.
  await mkdir(join(path, `${key}.part`, 'in-the-way'), { recursive: true });
  await expect(journal.write(key, part)).rejects.toThrow();
  expect((await readdir(path)).toSorted()).toEqual([`${key}.part`, 'lock', 'mine.partial']);
});

// Whoever is refused has waited 7.5 s for the lock, and that happens twice.
test('two runs cannot use one journal, and one that was killed holds it for a few seconds only', {
  timeout: 30_000,
}, async () => {
  const path = join(folder, 'locked');
  const first = await openJournal(path);
  await expect(openJournal(path)).rejects.toMatchObject({
    kind: 'busy',
    message: expect.stringMatching(/delete .*lock/),
  });
  await first.close();
  await (await openJournal(path)).close();
  expect(await readdir(path)).toEqual([]);
  // A killed run leaves its lock untouched. Of many runs that find it, one takes it over.
  await mkdir(join(path, 'lock'));
  await writeFile(join(path, 'lock', 'killed'), '');
  await utimes(join(path, 'lock', 'killed'), 0, 0);
  const runs = await Promise.allSettled(Array.from({ length: 8 }, () => openJournal(path)));
  const journals = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []));
  expect(journals.length).toBe(1);
  await journals[0]?.close();
  expect(await readdir(path)).toEqual([]);
});
