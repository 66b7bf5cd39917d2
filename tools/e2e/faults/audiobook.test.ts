import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWavHeader } from '@speech-api/audio';
import { complete } from '@speech-api/config/suite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSpeech } from '../test/testing/speech-command.ts';
import { finishedParts, startCountingProxy } from './counting-proxy.ts';
import { memoryOf, type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';

const megabyte = 1024 * 1024;
/** Length of the book; at its full length, its file is larger than the memory of the command. */
const characters = complete ? 100_000 : 25_000;
let folder = '';
let sandbox: SandboxProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'speech-audiobook-'));
  sandbox = await startSandboxProcess();
});
afterAll(async () => {
  await sandbox?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Chapters of one or two calls; no two sentences are alike. */
function writeBook(): string {
  const things = ['ferry', 'lamp', 'letter', 'gull', 'barrel', 'net', 'bell', 'market', 'river', 'garden'];
  const sentence = (index: number): string =>
    `The ${things[index % 10]} of day ${index} waits by the ${things[Math.floor(index / 10) % 10]}, and nobody counts the hours.`;
  const chapters: string[] = [];
  let length = 0;
  for (let index = 0; length < characters; ) {
    const paragraphs: string[] = [];
    for (let paragraph = 0; paragraph < 8; paragraph++)
      paragraphs.push(Array.from({ length: 5 + (paragraph % 3) }, () => sentence(index++)).join(' '));
    const chapter = `# Chapter ${chapters.length + 1}\n\n${paragraphs.join('\n\n')}`;
    chapters.push(chapter);
    length += chapter.length + 2;
  }
  return chapters.join('\n\n');
}

test(`a book of ${characters} characters is killed in the middle, continues, and is one file in steady memory`, {
  timeout: 600_000,
}, async () => {
  const text = writeBook();
  await writeFile(join(folder, 'book.md'), text);
  const texts: string[] = [];
  const proxy = await startCountingProxy(sandbox.url, (body) => texts.push(JSON.parse(body.toString()).text));
  // At double speed it is half as long to speak; the command does as much for each character.
  const args = ['speak', 'book.md', '-o', 'book.wav', '--chapters', '--captions', 'vtt', '--speed', '2'];
  const environment = { SPEECH_BASE_URL: proxy.url, SPEECH_API_KEY: 'sandbox-key' };
  const start = () => startSpeech(args, { folder, environment });
  const finished = () => finishedParts(join(folder, 'book.wav.parts'));
  try {
    const killed = start();
    await expect.poll(finished, { timeout: 300_000 }).toBeGreaterThanOrEqual(3);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const kept = await finished();
    const sent = texts.splice(0);
    expect(await stat(join(folder, 'book.wav')).catch(() => undefined)).toBeUndefined();

    const going = start();
    const memory: { parts: number; bytes: number }[] = [];
    const watching = setInterval(() => {
      const { exitCode, pid = 0 } = going.child;
      if (exitCode === null) memory.push({ parts: texts.length, bytes: memoryOf(pid) });
    }, 200);
    const { code, stderr } = await going.ended;
    clearInterval(watching);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^wrote book\.wav, [^\n]+\n$/)]);

    // Every part is sent once, but for those that were under way when the command was killed.
    const all = new Set([...sent, ...texts]);
    expect(texts.length).toBe(all.size - kept);
    expect(new Set(texts).size).toBe(texts.length);
    expect(sent.filter((one) => texts.includes(one)).length).toBe(sent.length - kept);
    expect(all.size).toBeGreaterThan(characters / 2_500);
    expect((await readdir(folder)).sort()).toEqual(['book.chapters.json', 'book.md', 'book.vtt', 'book.wav']);

    // One file, with one list of captions and of chapters.
    const { size } = await stat(join(folder, 'book.wav'));
    const file = await open(join(folder, 'book.wav'));
    const { buffer } = await file.read(Buffer.alloc(200), 0, 200, 0);
    await file.close();
    const header = readWavHeader(buffer);
    expect(header?.declaredDataBytes).toBe(size - (header?.dataOffset ?? 0));
    const seconds = (header?.declaredDataBytes ?? 0) / 2 / 44_100;
    const { chapters } = JSON.parse(await readFile(join(folder, 'book.chapters.json'), 'utf8'));
    expect(chapters.length).toBe(text.match(/^# /gm)?.length);
    expect(chapters.at(-1).endTime).toBeCloseTo(seconds, 2);
    const captions = await readFile(join(folder, 'book.vtt'), 'utf8');
    const cues = captions.split('\n\n').slice(1);
    const words = (some: string): string[] => some.match(/[\p{L}\p{N}]+/gu) ?? [];
    expect(cues.flatMap((cue) => words(cue.split('\n').slice(1).join(' ')))).toEqual(words(text));
    const times = cues.flatMap((cue) => cue.match(/\d+:\d+:[\d.]+/g) ?? []);
    expect(times).toEqual(times.toSorted());

    // The file is larger than all the memory that the command takes.
    const peak = Math.max(...memory.map(({ bytes }) => bytes));
    const early = memory.filter((sample) => sample.parts <= texts.length / 2).map(({ bytes }) => bytes);
    process.stdout.write(
      `${text.length} characters, ${seconds.toFixed(0)} s, ${(size / megabyte).toFixed(0)} MB: ${(peak / megabyte).toFixed(0)} MB of memory, ${(Math.max(...early) / megabyte).toFixed(0)} MB in the first half\n`,
    );
    expect(peak).toBeLessThan(Math.max(...early) + 60 * megabyte);
    if (complete) expect(peak).toBeLessThan(size);
  } finally {
    proxy.close();
  }
});
