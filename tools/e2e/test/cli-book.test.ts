import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureAudio } from '@speech-api/audio';
import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';
import { speakLong } from '@speech-api/recordings';
import { expect, test } from 'vitest';
import { useSpeech } from './testing/speech-command.ts';
import { sandboxKey, useOwnSandbox } from './testing/use-sandbox.ts';

const service = useOwnSandbox();
const { folder, speech } = useSpeech(service);
const dead = { environment: { SPEECH_BASE_URL: 'http://127.0.0.1:1' } };
const book = '# One\n\nThe ferry leaves at noon.\n\n# Two\n\nThe gulls leave with it.\n';
// A picture of one pixel.
const cover = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

const filesLike = async (pattern: RegExp): Promise<string[]> =>
  (await readdir(folder)).filter((name) => pattern.test(name));

/** Starts and ends of the chapters in the tag of an mp3 file, in milliseconds. */
function chaptersOf(mp3: Buffer): [start: number, end: number][] {
  const found: [number, number][] = [];
  for (let at = mp3.indexOf('CHAP'); at >= 0; at = mp3.indexOf('CHAP', at + 1)) {
    const times = mp3.indexOf(0, at + 10) + 1;
    found.push([mp3.readUInt32BE(times), mp3.readUInt32BE(times + 4)]);
  }
  return found;
}

test('speak makes an audiobook with chapters, a title and a cover', async () => {
  await writeFile(join(folder, 'book.md'), book);
  await writeFile(join(folder, 'cover.png'), cover);
  const described = [
    '--title',
    'The Sea',
    '--author',
    'Ann Author',
    '--tag',
    'year=2026',
    '--cover',
    'cover.png',
  ];
  const kept = ['--journal', 'kept'];
  const args = ['speak', 'book.md', '-o', 'book.mp3', '--chapters', '--timestamps', ...described, ...kept];
  expect(await speech(args)).toMatchObject({ code: 0 });
  expect((await readdir(join(folder, 'kept'))).length).toBe(2);
  // Made again of what was kept, without the service.
  expect(await speech([...args, '--force'], dead)).toMatchObject({ code: 0 });
  const mp3 = await readFile(join(folder, 'book.mp3'));
  for (const text of ['The Sea', 'Ann Author', '2026', 'One', 'Two'])
    expect(mp3.includes(Buffer.from(text, 'utf16le'))).toBe(true);
  expect(mp3.includes(cover)).toBe(true);
  expect(mp3.includes('CTOC')).toBe(true);
  expect(mp3.includes('toc\u0000\u0003\u0002chp0\u0000chp1\u0000')).toBe(true);
  const { chapters, segments } = JSON.parse(await readFile(join(folder, 'book.json'), 'utf8'));
  const [one, two] = chaptersOf(mp3);
  expect(one?.[0]).toBe(0);
  expect(one?.[1]).toBe(two?.[0]);
  expect(two).toEqual([Math.round(chapters[1].start * 1000), Math.round(chapters[1].end * 1000)]);
  expect(measureAudio(mp3, 'mp3').seconds).toBe(chapters[1].end);
  // The second chapter begins where its heading is said.
  const heading = segments.find(({ text }: { text: string }) => text === 'Two');
  expect(heading.start - chapters[1].start).toBeGreaterThanOrEqual(0);
  expect(heading.start - chapters[1].start).toBeLessThan(0.2);
});

test('saveTo of the client writes the same file as the command', async () => {
  await writeFile(join(folder, 'same.md'), book);
  expect(await speech(['speak', 'same.md', '-o', 'command.mp3', '--chapters'])).toMatchObject({ code: 0 });
  const path = join(folder, 'client.mp3');
  const client = createSpeechClient({ apiKey: sandboxKey, baseUrl: service.url });
  const length = await saveTo(path, speakLong(client, { text: book, format: 'mp3' }, { chapters: true }));
  const written = await readFile(path);
  expect(written).toEqual(await readFile(join(folder, 'command.mp3')));
  expect([length, chaptersOf(written).length]).toEqual([written.length, 2]);
});

test('chapters of a wav file are in a file beside it, and in the plan', async () => {
  await writeFile(join(folder, 'beside.md'), book);
  const plan = await speech(
    ['speak', 'beside.md', '-o', 'beside.wav', '--chapters', '--dry-run', '--json'],
    dead,
  );
  expect(JSON.parse(plan.stdout)).toMatchObject({
    requests: 2,
    estimated_seconds: 3,
    chapters: [
      { title: 'One', characters: 30, requests: 1 },
      { title: 'Two', characters: 29, requests: 1 },
    ],
  });
  const shown = await speech(['speak', 'beside.md', '-o', 'beside.wav', '--chapters', '--dry-run'], dead);
  expect(shown.stdout).toMatch(/2 request\(s\) .* about 0:03\n {2}One: 30 characters, 1 request\(s\)\n/);
  expect(await speech(['speak', 'beside.md', '-o', 'beside.wav', '--chapters'])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^wrote beside\.wav, [\d.]+ kB, beside\.chapters\.json\n$/),
  });
  const { chapters } = JSON.parse(await readFile(join(folder, 'beside.chapters.json'), 'utf8'));
  const { seconds } = measureAudio(await readFile(join(folder, 'beside.wav')), 'wav');
  expect(chapters).toEqual([
    { startTime: 0, endTime: chapters[1].startTime, title: 'One' },
    { startTime: expect.any(Number), endTime: Math.round(seconds * 1000) / 1000, title: 'Two' },
  ]);
});

test('what cannot be in a book is refused before anything is sent, with what would work', async () => {
  await writeFile(join(folder, 'plain.txt'), 'No heading here.');
  for (const name of ['some.md', 'said.srt']) await writeFile(join(folder, name), book);
  await writeFile(join(folder, 'cover.png'), cover);
  await writeFile(join(folder, 'picture.gif'), 'GIF89a');
  await mkdir(join(folder, 'empty'), { recursive: true });
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['plain.txt', '-o', 'x.mp3', '--chapters'], /no headings.*# or ##.*"Chapter 1"/],
    [['some.md', '-o', 'x.wav', '--title', 'T'], /wav file has no place.*mp3, opus or m4b/],
    [['some.md', '-o', 'x.mp3', '--title', ' '], /--title must be a line/],
    [['some.md', '-o', 'x.mp3', '--tag', 'isbn=1'], /--tag isbn is unknown; use .*album, narrator/],
    [['some.md', '-o', 'x.mp3', '--tag', 'year=26'], /--tag year is "26"; use four digits/],
    [['some.md', '-o', 'x.mp3', '--cover', 'picture.gif'], /--cover picture\.gif must be a jpeg or png/],
    [['some.md', '-o', 'x.mp3', '--cover', 'none.jpg'], /no file none\.jpg/],
    [['some.md', '-o', '-', '--format', 'mp3', '--chapters'], /--chapters needs a file name/],
    [['some.md', '--play', '--title', 'T'], /need a file: use -o/],
    [
      ['some.md', '-o', 'x.mp3', '--chapters', '--speaker', 'A=b'],
      /--chapters' cannot be used with option '--speaker/,
    ],
    [['some.md', '-o', 'x.m4b', '--format', 'mp3'], /--format mp3 does not fit/],
    [['some.md', '-o', 'x.m4b', '--bitrate', '64'], /--bitrate is for mp3 and opus/],
    [['some.md', '-o', './some.md', '--format', 'mp3', '--force'], /\.\/some\.md is read by this command/],
    [['said.srt', '-o', 'said.mp3', '--captions', 'srt', '--force'], /said\.srt is read by this command/],
    [['none.mdd', '-o', 'x.mp3'], /no file none\.mdd\. To speak these words, pipe them/],
    [['.', '-o', 'x.mp3'], /\. is a folder; name a text file/],
    [['cover.png', '-o', 'x.mp3'], /cover\.png is not text in UTF-8/],
    [['-5 degrees', '-o', 'x.mp3'], /begins with - goes last, after --/],
  ];
  for (const [args, message] of cases) {
    const ran = await speech(['speak', ...args], dead);
    expect([args, ran.code, ran.stderr]).toEqual([args, 2, expect.stringMatching(message)]);
  }
  const without = { environment: { SPEECH_BASE_URL: 'http://127.0.0.1:1', PATH: join(folder, 'empty') } };
  const ran = await speech(['speak', 'some.md', '-o', 'x.m4b'], without);
  expect([ran.code, ran.stderr]).toEqual([
    2,
    expect.stringMatching(/needs ffmpeg.*ffmpeg\.org.*mp3 or opus/),
  ]);
  expect(await filesLike(/^\.?x\./)).toEqual([]);
});
