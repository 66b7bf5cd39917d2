import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSpeechClient } from '@speech-api/client';
import { cutInWorker, openJournal, openRecording } from '@speech-api/recordings/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutRecording } from '../cut-recording.ts';
import { planRecording, transcribeRecording } from '../index.ts';
import { collect, noise, wavFile } from '../testing/files.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'speech-recordings-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const part = Uint8Array.of(1, 2, 3);
const key = 'a'.repeat(64);

test('a worker cuts as the caller would', async () => {
  const bytes = wavFile(noise(16_000 * 13), 16_000);
  const options = { maximumSeconds: 5 };
  const [here, there] = await Promise.all(
    [cutRecording, cutInWorker()].map((cut) => collect(cut([bytes], options))),
  );
  expect(there).toEqual(here);
  expect(here?.length).toBeGreaterThan(2);
});

test('an error of the worker is the error of the cut', async () => {
  await expect(collect(cutInWorker()([new Uint8Array(20).fill(7)]))).rejects.toMatchObject({
    name: 'RecordingError',
    kind: 'not-recognised',
  });
});

test('a file that takes longer than the deadline is given up', async () => {
  const large = wavFile(noise(16_000 * 60), 16_000);
  await expect(collect(cutInWorker({ deadline: 1 })([large]))).rejects.toMatchObject({
    kind: 'too-slow',
    message: expect.stringMatching(/Reading this .* no progress within 1 ms.*ffmpeg/),
  });
});

test('a recording on the disk is opened without being read', async () => {
  const path = join(folder, 'short.wav');
  await writeFile(path, wavFile(noise(16_000), 16_000));
  const file = await openRecording(path);
  expect([file.name, file.size]).toEqual(['short.wav', 32_044]);
  await expect(openRecording(folder)).rejects.toThrow(/is not a file/);
});

test('a path that was not opened is refused, with what opens it', async () => {
  const message = 'the source is a string; for a path, use openRecording of @speech-api/recordings/node';
  const path = 'interview.mp3' as never;
  const transcribed = transcribeRecording(
    createSpeechClient({ apiKey: 'any', baseUrl: 'http://127.0.0.1:1' }),
    path,
  );
  for (const refused of [
    transcribed,
    planRecording(path),
    collect(cutRecording(path)),
    collect(cutInWorker()(path)),
  ])
    await expect(refused).rejects.toThrow(new TypeError(message));
});

test('a journal gives back what it kept', async () => {
  const path = join(folder, 'kept');
  {
    await using journal = await openJournal(path);
    expect(await journal.read(key)).toBeUndefined();
    await journal.write(key, part);
  }
  expect(await readdir(path)).toEqual([`${key}.part`]);
  await using again = await openJournal(path);
  expect(await again.read(key)).toEqual(Buffer.from(part));
});

test('a journal keeps nothing of a part that could not be written, or that a killed run was writing', async () => {
  const path = join(folder, 'unfinished');
  await mkdir(path);
  const unfinished = `${key}.00000000-0000-4000-8000-000000000000.partial`;
  for (const name of [unfinished, 'mine.partial']) await writeFile(join(path, name), part);
  await using journal = await openJournal(path);
  // A folder of this name lets no file appear.
  await mkdir(join(path, `${key}.part`, 'in-the-way'), { recursive: true });
  await expect(journal.write(key, part)).rejects.toThrow();
  expect((await readdir(path)).toSorted()).toEqual([`${key}.part`, 'lock', 'mine.partial']);
});

test('two runs cannot use one journal, and a run that was killed does not keep it', async () => {
  const path = join(folder, 'locked');
  const first = await openJournal(path);
  await expect(openJournal(path)).rejects.toMatchObject({ kind: 'busy' });
  await first.close();
  // No process has this number: it is beyond what a system gives.
  await writeFile(join(path, 'lock'), JSON.stringify({ process: 2 ** 22 + 1, host: hostname() }));
  await (await openJournal(path)).close();
  await writeFile(join(path, 'lock'), JSON.stringify({ process: 1, host: 'another-machine' }));
  await expect(openJournal(path)).rejects.toThrow(/delete .*lock/);
});
