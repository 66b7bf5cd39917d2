import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSpeechClient, createTrace, type SpeechClient } from '@speech-api/client';
import { openJournal } from '@speech-api/recordings/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Journal, partsOf, speakLong, transcribeRecording } from './index.ts';
import { noise, wavFile } from './testing/files.ts';

/** Nine parts, because without a pause the parts of 5 s overlap. */
const recording = wavFile(noise(16_000 * 25), 16_000);
const cutting = { maximumSeconds: 5, overlapSeconds: 2.3 };
const paragraphs = Array.from({ length: 9 }, (_, index) => `${index} ${'The ferry leaves. '.repeat(4)}`).join(
  '\n\n',
);

let server: Server;
let client: SpeechClient;
let folder = '';
/** The number of successful calls, and the `traceparent` of every call. */
let billed = 0;
let traces: string[] = [];
/** The number of the call that fails; NaN if none does. */
let broken = Number.NaN;

beforeEach(async () => {
  [billed, traces, broken] = [0, [], 3];
  folder = await mkdtemp(join(tmpdir(), 'speech-paid-'));
  const speech = wavFile(noise(16_000), 16_000);
  server = createServer(async (request, response) => {
    traces.push(String(request.headers.traceparent));
    const number = traces.length;
    for await (const _ of request);
    if (number === broken) {
      response
        .writeHead(500, { 'content-type': 'application/json' })
        .end('{"status":500,"message":"broken"}');
      return;
    }
    // The other calls are under way while one fails.
    await new Promise((resolve) => setTimeout(resolve, 50));
    billed += 1;
    const isSpeech = request.url?.endsWith('/v1/tts');
    response.writeHead(200, { 'content-type': isSpeech ? 'audio/wav' : 'application/json' });
    response.end(isSpeech ? speech : JSON.stringify({ text: `part ${number}`, duration: 5, segments: [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  client = createSpeechClient({ apiKey: 'any', baseUrl: `http://127.0.0.1:${port}`, retry: { retries: 0 } });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

type Job = (journal: Journal | undefined) => Promise<unknown>;
const jobs: Readonly<Record<string, Job>> = {
  transcribeRecording: (journal) =>
    transcribeRecording(client, recording, { ...cutting, jobs: 4, language: 'en', journal }),
  speakLong: async (journal) => {
    const request = { text: paragraphs, format: 'wav', sample_rate: 16_000 } as const;
    for await (const _ of speakLong(client, request, { maximumCharacters: 100, jobs: 4, journal }));
  },
};

test.each(Object.entries(jobs))('%s sends, keeps and bills each of nine parts once', async (_name, work) => {
  const path = join(folder, 'parts');
  const run = async (): Promise<unknown> => {
    await using journal = await openJournal(path);
    return work(journal);
  };
  await expect(run()).rejects.toMatchObject({ status: 500 });
  // Nothing starts after the failure, and what was under way is finished and kept.
  const sent = traces.length;
  expect(sent).toBeLessThanOrEqual(6);
  expect(billed).toBe(sent - 1);
  const names = await readdir(path);
  expect(names.length).toBe(billed);
  if (process.platform !== 'win32')
    for (const name of ['.', ...names]) expect((await stat(join(path, name))).mode & 0o077).toBe(0);
  broken = Number.NaN;
  await run();
  expect(billed).toBe(9);
  expect(traces.length).toBe(10);
  // Another service gives other answers, so nothing kept applies to it.
  client = client.with({ baseUrl: `${client.settings.baseUrl}/other` });
  await run();
  expect(billed).toBe(18);
});

test.each(Object.entries(jobs))('%s without a journal puts paid parts on its error', async (name, work) => {
  const error = await work(undefined).catch((thrown: unknown) => thrown);
  const parts = partsOf(error);
  // For speech, the first parts were already returned.
  const handedOn = name === 'speakLong' ? 2 : 0;
  expect(parts.length).toBe(billed - handedOn);
  expect(new Set(parts.map(({ index }) => index)).size).toBe(parts.length);
});

test.each(Object.entries(jobs))(
  'all calls of %s join the trace of the client, each with its own parent',
  async (_name, work) => {
    broken = Number.NaN;
    client = client.with({ trace: createTrace() });
    await work(undefined);
    const [ids, parents] = [1, 2].map((at) => new Set(traces.map((trace) => trace.split('-')[at])));
    expect([traces.length, ids?.size, parents?.size]).toEqual([9, 1, 9]);
  },
);

test('a part that could not be kept is on the error', async () => {
  broken = Number.NaN;
  const full: Journal = {
    read: async () => undefined,
    write: () => Promise.reject(new Error('the disk is full')),
  };
  for (const work of Object.values(jobs)) {
    const error = await work(full).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/the disk is full/);
    expect(partsOf(error).length).toBeGreaterThan(0);
  }
});

test('a kept part answers only for the same headers, model and fields', async () => {
  broken = Number.NaN;
  const stored = new Map<string, Uint8Array>();
  const journal: Journal = {
    read: async (key) => stored.get(key),
    write: async (key, part) => void stored.set(key, part),
  };
  const short = wavFile(noise(16_000 * 2), 16_000);
  const requests = [
    {},
    { headers: { 'x-tenant': 'one' } },
    { model: 'transcribe-1-pro' },
    { diarize: true },
    { extra: { glossary: 'sea' } },
  ];
  for (const _round of [1, 2])
    for (const request of requests)
      await transcribeRecording(client, short, { language: 'en', journal, ...request });
  expect(traces.length).toBe(requests.length);
  const spoken = { text: 'Hello.', format: 'wav' } as const;
  for (const headers of [{}, { 'x-tenant': 'one' }, {}])
    for await (const _ of speakLong(client, spoken, { journal, headers }));
  expect(traces.length).toBe(requests.length + 2);
});
