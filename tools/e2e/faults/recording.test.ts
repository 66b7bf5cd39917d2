import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSpeechClient } from '@speech-api/client';
import { complete } from '@speech-api/config/suite';
import { speakLong } from '@speech-api/recordings';
import { afterEach, expect, test } from 'vitest';
import { type ServerProcess, startServerProcess } from '../test/testing/server-process.ts';
import { type Running, startSpeech } from '../test/testing/speech-command.ts';

const hours = complete ? 3 : 0.5;
const sampleRate = 16_000;
const megabyte = 1024 * 1024;

let sandbox: ServerProcess | undefined;
let folder = '';
let counter: Awaited<ReturnType<typeof startCountingProxy>> | undefined;
afterEach(async () => {
  await sandbox?.kill('SIGKILL');
  counter?.close();
  await rm(folder, { recursive: true, force: true });
});

test('hours of speech, killed in the middle: nothing is sent twice, in little memory, and every word has its time', async () => {
  folder = await mkdtemp(join(tmpdir(), 'speech-hours-'));
  sandbox = await startServerProcess('sandbox');
  const spoken = await recordHours(sandbox.url);
  const baseline = await peakOf(transcribe(sandbox.url, 'minutes'));
  // The first part is answered; the others are not answered before the kill.
  counter = await startCountingProxy(sandbox.url, 1);

  const killed = transcribe(counter.url);
  await expect.poll(finishedParts, { timeout: 300_000 }).toBe(1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const [finished, sent] = [await finishedParts(), counter.calls()];
  counter.answerAll();

  const resumed = transcribe(counter.url);
  const memory = await peakOf(resumed);
  expect(await resumed.ended).toMatchObject({ code: 0 });
  expect(await finishedParts()).toBeGreaterThan(finished);
  expect(counter.calls() - sent).toBe((await finishedParts()) - finished);
  expect(memory - baseline).toBeLessThan(150 * megabyte);

  const { segments } = JSON.parse(await readFile(join(folder, 'hours.json'), 'utf8')) as {
    segments: readonly Timed[];
  };
  const words = segments.flatMap(({ text, start }) => wordsOf(text).map((word) => ({ word, start })));
  const starts = words.map(({ start }) => start);
  expect(starts).toEqual(starts.toSorted((first, second) => first - second));
  // The sandbox sometimes mishears a word.
  expect(countInTime(spoken, words) / spoken.length).toBeGreaterThanOrEqual(0.99);
  expect(words.length / spoken.length).toBeLessThanOrEqual(1.01);
}, 1_200_000);

interface Timed {
  readonly text: string;
  readonly start: number;
}

function transcribe(baseUrl: string, name = 'hours'): Running {
  const files = [`${name}.wav`, '--journal', `journal-${name}`, '-o', `${name}.txt`];
  const environment = { SPEECH_BASE_URL: baseUrl, SPEECH_API_KEY: 'sandbox-key' };
  return startSpeech(['transcribe', ...files, '--timestamps', '--force'], { folder, environment });
}

async function finishedParts(): Promise<number> {
  const names = await readdir(join(folder, 'journal-hours')).catch(() => []);
  return names.filter((name) => name.endsWith('.part')).length;
}

/** Peak memory of a command in bytes, as the kernel counts it. */
async function peakOf({ child, ended }: Running): Promise<number> {
  let peak = 0;
  const look = async (): Promise<void> => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Math.max(peak, 1024 * Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0));
  };
  const watch = setInterval(look, 20);
  await ended;
  clearInterval(watch);
  return peak;
}

/** Forwards and counts calls; those after the first few wait until all are released. */
async function startCountingProxy(upstream: string, answered: number) {
  let calls = 0;
  let answeredCalls = answered;
  const server = createServer((incoming, answer) => {
    calls += 1;
    if (calls > answeredCalls) return;
    const { method, url = '', headers } = incoming;
    // Each call has its own connection, because the service may close a kept one just as it is reused.
    const options = { method, headers, agent: false };
    const outgoing = request(new URL(url, upstream), options, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): void => void server.close().closeAllConnections();
  const answerAll = (): void => {
    answeredCalls = Number.POSITIVE_INFINITY;
  };
  return { url, calls: () => calls, answerAll, close };
}

/** Writes minutes of speech as one wav file, and the same repeated as another. @returns its words with their times */
async function recordHours(baseUrl: string) {
  const client = createSpeechClient({ apiKey: 'sandbox-key', baseUrl });
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
  for (const [name, repetitions] of [
    ['minutes', 1],
    ['hours', rounds],
  ] as const) {
    const header = Buffer.from(whole.subarray(0, whole.length - sound.length));
    const size = repetitions * sound.length;
    header.writeUInt32LE(header.length - 8 + size, 4);
    header.writeUInt32LE(size, header.length - 4);
    const file = await open(join(folder, `${name}.wav`), 'w');
    await file.write(header);
    for (let round = 0; round < repetitions; round++) await file.write(sound);
    await file.close();
  }
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

/** Number of words heard within 50 ms of their time, each counted once. */
function countInTime(spoken: readonly Word[], heard: readonly Word[]): number {
  const uncounted = new Set(heard.keys());
  let from = 0;
  let inTime = 0;
  for (const { word, start } of spoken) {
    while ((heard[from]?.start ?? Number.POSITIVE_INFINITY) < start - 0.05) from += 1;
    for (let index = from; (heard[index]?.start ?? Number.POSITIVE_INFINITY) <= start + 0.05; index++) {
      if (heard[index]?.word !== word || !uncounted.delete(index)) continue;
      inTime += 1;
      break;
    }
  }
  return inTime;
}

/** 120 sentences that differ from each other. */
function minutesOfText(): string {
  let state = 7;
  const oneOf = (words: string): string => {
    state = (state * 48_271) % 2_147_483_647;
    const list = words.split(' ');
    return list[state % list.length] ?? '';
  };
  const sentence = (): string =>
    `The ${oneOf('old young tired happy quiet famous lonely clever')} ${oneOf('baker sailor doctor teacher farmer painter')} ${oneOf('carried found painted repaired sold borrowed')} a ${oneOf('red wooden broken heavy silver paper')} ${oneOf('lantern bicycle ladder basket window')} ${oneOf('near behind beside beyond')} the ${oneOf('harbour station market bridge garden library')}.`;
  return Array.from({ length: 20 }, () => Array.from({ length: 6 }, sentence).join(' ')).join('\n\n');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
