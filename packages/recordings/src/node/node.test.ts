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

/** A lock in a folder of its own, as a run leaves it that is killed. @returns the folder */
async function leaveLock(name: string, owner: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, 'lock'), { recursive: true });
  await writeFile(join(path, 'lock', owner), '');
  return path;
}

test('a run that was killed while it took or gave back the lock keeps nobody out', async () => {
  const path = join(folder, 'half-locked');
  for (const name of ['lock', 'lock.00000000-0000-4000-8000-000000000000'])
    await mkdir(join(path, name), { recursive: true });
  await (await openJournal(path)).close();
  expect(await readdir(path)).toEqual([]);
});

/** No process has this number: it is beyond what a system gives. */
const killed = `${2 ** 22 + 1}-1@${hostname()}`;

test('two runs cannot use one journal, and a run that was killed does not keep it', async () => {
  const path = join(folder, 'locked');
  const first = await openJournal(path);
  await expect(openJournal(path)).rejects.toMatchObject({ kind: 'busy' });
  await first.close();
  const second = await openJournal(path);
  // To close it again gives back nothing that is another's by now.
  await first.close();
  await expect(openJournal(path)).rejects.toMatchObject({ kind: 'busy' });
  await second.close();
  expect(await readdir(path)).toEqual([]);
  await (await openJournal(await leaveLock('killed', killed))).close();
  await expect(openJournal(await leaveLock('elsewhere', '1-1@another-machine'))).rejects.toThrow(
    /delete .*lock/,
  );
});

test('of many runs that find the lock of a killed one, one takes it over', async () => {
  for (let round = 0; round < 20; round++) {
    const path = await leaveLock(`contended-${round}`, killed);
    const runs = await Promise.allSettled(Array.from({ length: 8 }, () => openJournal(path)));
    expect(runs.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  }
});

test.runIf(process.platform === 'linux')(
  'a process that has the number of a killed run, as after a restart of a container, does not keep its journal',
  async () => {
    for (const pid of [process.pid, process.ppid])
      await (await openJournal(await leaveLock(`again-${pid}`, `${pid}-1@${hostname()}`))).close();
  },
);
