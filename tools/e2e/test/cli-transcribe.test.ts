import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { text, useSpeech } from './testing/speech-command.ts';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const { folder, speech } = useSpeech(useOwnSandbox());
let wav: Buffer;

beforeAll(async () => {
  expect(await speech(['speak', text, '-o', 'good.wav'])).toMatchObject({ code: 0 });
  wav = await readFile(join(folder, 'good.wav'));
  await writeFile(join(folder, 'notes.mp3'), 'Dear diary, today I recorded nothing.');
});

test('one bad recording of several does not stop the others, and is named', async () => {
  const ran = await speech(['transcribe', 'notes.mp3', 'good.wav', '--output-dir', 'several']);
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/notes\.mp3: the service answered 4.*\n.*1 of 2/s),
  });
  expect(await readFile(join(folder, 'several', 'good.txt'), 'utf8')).toBe(`${text}\n`);
});

test('--json prints one document, with an output file and of several recordings too', async () => {
  for (const name of ['json-a.wav', 'json-b.wav']) await writeFile(join(folder, name), wav);
  await writeFile(join(folder, 'json-c.mp3'), 'no audio');
  const json = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await speech(['transcribe', ...args, '--json'])).stdout);
  const duration = expect.any(Number);
  expect(await json('json-a.wav', '-o', 'json-a.txt', '--captions', 'vtt')).toEqual({
    input: 'json-a.wav',
    output: 'json-a.txt',
    duration,
    captions: 'json-a.vtt',
  });
  const several = ['json-a.wav', 'json-b.wav', 'json-c.mp3', '--output-dir', 'json'];
  expect(await json(...several)).toEqual([
    { input: 'json-a.wav', output: join('json', 'json-a.txt'), duration },
    { input: 'json-b.wav', output: join('json', 'json-b.txt'), duration },
    { input: 'json-c.mp3', error: expect.any(String) },
  ]);
  expect(await json('json-a.wav', 'json-b.wav', '--output-dir', 'json', '--skip-done')).toEqual([
    { input: 'json-a.wav', done: true },
    { input: 'json-b.wav', done: true },
  ]);
  expect(await json('json-a.wav', 'json-b.wav', '--output-dir', 'plans', '--dry-run')).toMatchObject([
    { input: 'json-a.wav', requests: 1 },
    { input: 'json-b.wav', requests: 1 },
  ]);
});

test('--skip-done makes what is missing, keeps what fits, and refuses one recording alone', async () => {
  const past = new Date(Date.now() - 60_000);
  await mkdir(join(folder, 'halves'));
  for (const name of ['half', 'stale', 'whole', 'fresh']) {
    await writeFile(join(folder, 'halves', `${name}.wav`), wav);
    await utimes(join(folder, 'halves', `${name}.wav`), past, past);
  }
  await mkdir(join(folder, 'made'));
  for (const name of ['half.txt', 'whole.txt', 'whole.srt', 'stale.txt'])
    await writeFile(join(folder, 'made', name), 'mine');
  await utimes(join(folder, 'made', 'stale.txt'), 0, 0);
  const args = ['-r', 'halves', '--output-dir', 'made', '--captions', 'srt', '--skip-done'];
  const ran = await speech(['transcribe', ...args]);
  expect(ran).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/stale\.wav: .*stale\.txt already exists.*--force[\s\S]*1 of 3/),
  });
  expect(ran.stderr).toMatch(/wrote made.half\.srt\n/);
  expect((await readdir(join(folder, 'made'))).sort()).toEqual(
    ['fresh', 'half', 'whole']
      .flatMap((name) => [`${name}.srt`, `${name}.txt`])
      .concat('stale.txt')
      .sort(),
  );
  for (const name of ['half.txt', 'whole.srt', 'stale.txt'])
    expect(await readFile(join(folder, 'made', name), 'utf8')).toBe('mine');
  expect(await readFile(join(folder, 'made', 'half.srt'), 'utf8')).toMatch(/ferry/);
  expect(await speech(['transcribe', ...args, '--force'])).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, 'made', 'stale.txt'), 'utf8')).toBe(`${text}\n`);
});
