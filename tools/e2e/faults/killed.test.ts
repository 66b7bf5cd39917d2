import { ConnectionError, createSpeechClient, ProtocolError } from '@speech-api/client';
import { complete } from '@speech-api/config/suite';
import { afterEach, expect, test } from 'vitest';
import { isAlive, type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';

const running: SandboxProcess[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.kill('SIGKILL')));
});

async function start(): Promise<SandboxProcess> {
  const sandbox = await startSandboxProcess();
  running.push(sandbox);
  return sandbox;
}

const clientOf = (sandbox: SandboxProcess) =>
  createSpeechClient({ apiKey: 'sandbox-key', baseUrl: sandbox.url });

const sentence = 'The baker opens the door at six and the first customers are already waiting outside. ';
const longText = sentence.repeat(60);

/** Reads until the source ends, and calls back after its first item. */
async function readWith(source: AsyncIterable<unknown>, afterFirst: () => void): Promise<number> {
  let items = 0;
  for await (const _item of source) {
    items++;
    if (items === 1) afterFirst();
  }
  return items;
}

const isBroken = (error: unknown) => ConnectionError.isInstance(error) || ProtocolError.isInstance(error);

test('a server killed in the middle of a timestamp stream is an error, not a short stream', async () => {
  const sandbox = await start();
  const stream = await clientOf(sandbox).speech.streamWithTimestamps({ text: longText, format: 'opus' });
  const reading = readWith(stream, () => void sandbox.kill('SIGKILL'));
  await expect(reading).rejects.toSatisfy(isBroken);
});

test('an engine killed in the middle breaks the one body it was speaking, and the next request speaks', async () => {
  const sandbox = await start();
  const client = clientOf(sandbox);
  const speech = await client.speech.create({ text: longText, format: 'wav' });
  const killEngines = () => {
    const engines = sandbox.engines();
    expect(engines.length).toBeGreaterThan(0);
    for (const pid of engines) process.kill(pid, 'SIGKILL');
  };
  await expect(readWith(speech, killEngines)).rejects.toSatisfy(isBroken);
  const next = await client.speech.create({ text: 'Still here.', format: 'wav' });
  expect((await next.bytes()).byteLength).toBeGreaterThan(10_000);
});

const signals = complete ? (['SIGTERM', 'SIGINT', 'SIGKILL'] as const) : (['SIGTERM', 'SIGKILL'] as const);

test.each(signals)('%s leaves no engine behind', async (signal) => {
  const sandbox = await start();
  await (await clientOf(sandbox).speech.create({ text: 'Hello.', format: 'wav' })).bytes();
  const engines = sandbox.engines();
  expect(engines.length).toBeGreaterThan(0);
  const ended = await sandbox.kill(signal);
  if (signal !== 'SIGKILL') expect(ended.code === 0 || ended.code === 130 || ended.code === 143).toBe(true);
  await expect.poll(() => engines.filter(isAlive)).toEqual([]);
});

test('a reader that stops reading does not make the server’s memory grow', async () => {
  const sandbox = await startSandboxProcess([], { isMeasured: true });
  running.push(sandbox);
  const usedBytes = async () => (await sandbox.ask('report')).usedBytes;
  const { speech } = clientOf(sandbox);
  // Some ten minutes of wav: 50 MB, far more than the sockets between us can hold.
  const request = { text: sentence.repeat(120), format: 'wav' } as const;
  await (await speech.create({ text: longText, format: 'wav' })).bytes();
  const before = await usedBytes();
  const controller = new AbortController();
  const unread = (await speech.create(request, { signal: controller.signal }))[Symbol.asyncIterator]();
  await unread.next();
  // In the time in which the same text is spoken to somebody who reads, it could all have been made for this one.
  let bytes = 0;
  for await (const piece of await speech.create(request)) bytes += piece.byteLength;
  expect(bytes).toBeGreaterThan(40 * 1024 * 1024);
  // Memory for the active reader may take a moment to be collected; what waits for the other would stay.
  await expect
    .poll(async () => (await usedBytes()) - before, { timeout: 60_000 })
    .toBeLessThan(20 * 1024 * 1024);
  controller.abort();
});
