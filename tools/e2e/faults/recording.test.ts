import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSpeechClient } from '@speech-api/client';
import { complete } from '@speech-api/config/suite';
import { speakLong } from '@speech-api/recordings';
import { afterEach, expect, test } from 'vitest';
import { startSpeech } from '../test/testing/speech-command.ts';
import { finishedParts, startCountingProxy } from './counting-proxy.ts';
import { createRandom } from './random.ts';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';

const hours = Number(process.env.RECORDING_HOURS ?? (complete ? 3 : 0.5));
const sampleRate = 16_000;
const key = 'sandbox-key';

let sandbox: SandboxProcess | undefined;
let folder = '';
let counter: Awaited<ReturnType<typeof startCountingProxy>> | undefined;
afterEach(async () => {
  await sandbox?.kill('SIGKILL');
  counter?.close();
  await rm(folder, { recursive: true, force: true });
});

test('hours of speech, killed in the middle: every word at its time, and no finished part is sent again', async () => {
  folder = await mkdtemp(join(tmpdir(), 'speech-hours-'));
  sandbox = await startSandboxProcess();
  const spoken = await recordHours(sandbox.url, join(folder, 'hours.wav'));
  const journal = join(folder, 'journal');

  counter = await startCountingProxy(sandbox.url);
  const killed = transcribe(counter.url);
  await expect.poll(() => finishedParts(journal), { timeout: 300_000 }).toBeGreaterThanOrEqual(3);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const finished = await finishedParts(journal);

  const sent = counter.calls();
  const resumed = transcribe(counter.url);
  expect(await resumed.ended).toMatchObject({ code: 0 });
  const parts = await finishedParts(journal);
  expect(parts).toBeGreaterThan(finished);
  expect(counter.calls() - sent).toBe(parts - finished);

  const { segments } = JSON.parse(await readFile(join(folder, 'hours.json'), 'utf8')) as {
    segments: readonly Timed[];
  };
  const heard = segments.flatMap(({ text, start }) => wordsOf(text).map((word) => ({ word, start })));
  const starts = heard.map(({ start }) => start);
  expect(starts).toEqual(starts.toSorted((one, other) => one - other));
  const right = countRight(spoken, heard);
  expect(right / spoken.length).toBeGreaterThanOrEqual(0.99);
  expect(heard.length / spoken.length).toBeLessThanOrEqual(1.01);
}, 1_200_000);

interface Timed {
  readonly text: string;
  readonly start: number;
}

function transcribe(baseUrl: string) {
  const args = [
    'transcribe',
    'hours.wav',
    '--journal',
    'journal',
    '--timestamps',
    '-o',
    'hours.txt',
    '--force',
  ];
  return startSpeech(args, { folder, environment: { SPEECH_BASE_URL: baseUrl, SPEECH_API_KEY: key } });
}

/** A few minutes that are spoken, again and again, as one wav file. @returns its words, each with its time */
async function recordHours(baseUrl: string, path: string) {
  const client = createSpeechClient({ apiKey: key, baseUrl });
  const speech = speakLong(
    client,
    { text: minutesOfText(), format: 'wav', sample_rate: sampleRate },
    { timestamps: true },
  );
  const pieces: Uint8Array[] = [];
  for await (const piece of speech) pieces.push(piece);
  const whole = Buffer.concat(pieces);
  const sound = whole.subarray(whole.indexOf('data') + 8);
  const rounds = Math.ceil((hours * 3600) / speech.duration);
  const header = Buffer.from(whole.subarray(0, whole.length - sound.length));
  const size = rounds * sound.length;
  header.writeUInt32LE(header.length - 8 + size, 4);
  header.writeUInt32LE(size, header.length - 4);
  const file = await open(path, 'w');
  await file.write(header);
  for (let round = 0; round < rounds; round++) await file.write(sound);
  await file.close();
  const seconds = sound.length / 2 / sampleRate;
  return Array.from({ length: rounds }).flatMap((_, round) =>
    speech.segments.flatMap(({ text, start }) =>
      wordsOf(text).map((word) => ({ word, start: start + round * seconds })),
    ),
  );
}

interface Word {
  readonly word: string;
  readonly start: number;
}

/** Number of words heard within 0.2 s of their time, each counted once. */
function countRight(spoken: readonly Word[], heard: readonly Word[]): number {
  const free = new Set(heard.keys());
  let from = 0;
  let right = 0;
  for (const { word, start } of spoken) {
    while ((heard[from]?.start ?? Number.POSITIVE_INFINITY) < start - 0.2) from += 1;
    for (let index = from; (heard[index]?.start ?? Number.POSITIVE_INFINITY) <= start + 0.2; index++) {
      if (heard[index]?.word !== word || !free.delete(index)) continue;
      right += 1;
      break;
    }
  }
  return right;
}

function minutesOfText(): string {
  const random = createRandom(7);
  const one = (words: string): string => {
    const list = words.split(' ');
    return list[Math.floor(random() * list.length)] ?? '';
  };
  const sentence = (): string =>
    `The ${one('old young tired happy quiet famous lonely clever')} ${one('baker sailor doctor teacher farmer painter driver singer')} ${one('carried found painted repaired sold borrowed')} a ${one('red wooden broken heavy silver paper')} ${one('lantern bicycle ladder basket window piano')} ${one('near behind beside beyond')} the ${one('harbour station market bridge garden library')}.`;
  return Array.from({ length: 20 }, () => Array.from({ length: 6 }, sentence).join(' ')).join('\n\n');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
