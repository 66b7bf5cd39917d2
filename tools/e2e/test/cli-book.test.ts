import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureAudio } from '@speech-api/audio';
import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';
import { speakLong } from '@speech-api/recordings';
import { expect, test } from 'vitest';
import { pixel, useSpeech } from './testing/speech-command.ts';
import { sandboxKey, useOwnSandbox } from './testing/use-sandbox.ts';

const service = useOwnSandbox();
const { folder, speech } = useSpeech(service);
const dead = { environment: { SPEECH_BASE_URL: 'http://127.0.0.1:1' } };
const book = '# One\n\nThe ferry leaves at noon.\n\n# Two\n\nThe gulls leave with it.\n';

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
  await writeFile(join(folder, 'cover.png'), pixel);
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
  const refused = { environment: { SPEECH_API_KEY: 'wrong' } };
  expect(await speech([...args, '--force'], refused)).toMatchObject({ code: 0 });
  const mp3 = await readFile(join(folder, 'book.mp3'));
  for (const text of ['The Sea', 'Ann Author', '2026', 'One', 'Two'])
    expect(mp3.includes(Buffer.from(text, 'utf16le'))).toBe(true);
  expect(mp3.includes(pixel)).toBe(true);
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
