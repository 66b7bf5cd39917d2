import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { useSpeech } from './testing/speech-command.ts';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const { folder, speech } = useSpeech(useOwnSandbox());
const text = 'The ferry leaves at noon, and the gulls leave with it.';
let wav: Buffer;

beforeAll(async () => {
  expect(await speech(['speak', text, '-o', 'good.wav'])).toMatchObject({ code: 0 });
  wav = await readFile(join(folder, 'good.wav'));
  await mkdir(join(folder, 'empty-folder'));
  await writeFile(join(folder, 'notes.mp3'), 'Dear diary, today I recorded nothing.');
  await writeFile(join(folder, 'empty.mp3'), '');
  await writeFile(join(folder, 'cut.wav'), wav.subarray(0, 30));
  await writeFile(
    join(folder, 'film.mp4'),
    Buffer.from('\0\0\0\x10ftypmp42\0\0\0\0\0\0\x40\0moov', 'latin1'),
  );
  await writeFile(join(folder, 'half.wav'), wav.subarray(0, wav.length / 2));
  await writeFile(join(folder, 'noise.wav'), wav.subarray(0, 30_000));
});

test.each<[string, readonly string[], number, RegExp]>([
  ['a file that is not there', ['nothing.mp3'], 2, /no file nothing\.mp3/],
  ['an address', ['http://127.0.0.1/talk.mp3'], 2, /address.*curl -L URL \| speech transcribe -/],
  ['a folder', ['empty-folder'], 2, /not a file.*--recursive/],
  ['a folder without recordings', ['-r', 'empty-folder'], 2, /no recording in empty-folder/],
  ['an empty file', ['empty.mp3'], 2, /0 bytes.*copy it again/],
  ['a text that is called mp3', ['notes.mp3'], 2, /No wav, mp3.*convert it: ffmpeg/],
  ['a head without samples', ['cut.wav'], 2, /wav file is damaged.*Copy it again.*ffmpeg/],
  ['a film that breaks off', ['film.mp4'], 2, /mp4 file is damaged: it holds no track.*ffmpeg -i IN/],
  ['a file that breaks off', ['half.wav'], 2, /breaks off after \d\.\d s.*--accept-truncated/],
  ['less than a second', ['noise.wav', '--accept-truncated'], 2, /1 s or more.*apad/],
  ['one recording named twice', ['good.wav', './good.wav', '--output-dir', 'out'], 2, /named twice/],
  [
    'a recording as its own output',
    ['good.wav', '-o', './good.wav', '--force'],
    2,
    /good\.wav is read by this command/,
  ],
  ['texts of two recordings without a folder', ['good.wav', 'notes.mp3'], 2, /--output-dir FOLDER/],
  ['a file in place of the journal', ['good.wav', '--journal', 'notes.mp3'], 1, /name a folder/],
  ['a folder for the text that is a file', ['good.wav', '--output-dir', 'notes.mp3'], 1, /name a folder/],
  ['a kind of captions that is none', ['good.wav', '--captions', 'ass'], 2, /vtt, srt/],
  ['no jobs at all', ['good.wav', '--jobs', '0'], 2, /whole number from 1/],
])('%s is an error of one line that says what would work', async (_name, args, code, words) => {
  const ran = await speech(['transcribe', ...args]);
  expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(words) });
  expect(ran.stderr.trimEnd().split('\n').length).toBe(1);
  // The name of an option of the library is of no use here.
  expect(ran.stderr).not.toContain('acceptTruncated');
  expect(await readFile(join(folder, 'good.wav'))).toEqual(wav);
});

test('one bad recording of several does not stop the others, and is named', async () => {
  const ran = await speech(['transcribe', 'notes.mp3', 'good.wav', '--output-dir', 'several']);
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/notes\.mp3: No wav.*\n.*1 of 2/s) });
  expect(await readFile(join(folder, 'several', 'good.txt'), 'utf8')).toBe(`${text}\n`);
});

test('--shrink sends 16 kHz mono, and --dry-run says so', async () => {
  const plan = async (...more: string[]): Promise<Record<string, unknown>> =>
    JSON.parse((await speech(['transcribe', 'good.wav', '--dry-run', '--json', ...more])).stdout);
  const [large, small] = [await plan(), await plan('--shrink')];
  expect(small).toMatchObject({ description: 'wav (16-bit PCM, 1 channel, 16000 Hz)', requests: 1 });
  expect(Number(small.bytesSent)).toBeLessThan(Number(large.bytesSent) * 0.4);
  expect(await speech(['transcribe', 'good.wav', '--shrink'])).toMatchObject({
    code: 0,
    stdout: `${text}\n`,
  });
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
