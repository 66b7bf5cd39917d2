import { createServer } from 'node:net';
import { ConnectionError, createSpeechClient, ProtocolError } from '@speech-api/client';
import { afterEach, expect, test } from 'vitest';
import { isAlive, memoryOf, type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';

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

test('a server killed in the middle of a clip is an error, not a short clip', async () => {
  const sandbox = await start();
  const speech = await clientOf(sandbox).speech.create({ text: longText, format: 'wav' });
  const reading = readWith(speech, () => void sandbox.kill('SIGKILL'));
  await expect(reading).rejects.toSatisfy(isBroken);
});

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

test('callers that go away leave no work and no extra engines behind', async () => {
  const sandbox = await start();
  const client = clientOf(sandbox);
  await (await client.speech.create({ text: 'Warm up.', format: 'wav' })).bytes();
  const before = sandbox.engines().length;
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      const controller = new AbortController();
      const speech = await client.speech.create(
        { text: longText, format: 'wav' },
        { signal: controller.signal },
      );
      await expect(readWith(speech, () => controller.abort())).rejects.toThrow();
    }),
  );
  await (await client.speech.create({ text: 'And again.', format: 'wav' })).bytes();
  await expect.poll(() => sandbox.engines().length, { timeout: 10_000 }).toBeLessThanOrEqual(before + 1);
});

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('%s leaves no engine behind', async (signal) => {
  const sandbox = await start();
  await (await clientOf(sandbox).speech.create({ text: 'Hello.', format: 'wav' })).bytes();
  const engines = sandbox.engines();
  expect(engines.length).toBeGreaterThan(0);
  const ended = await sandbox.kill(signal);
  if (signal !== 'SIGKILL') expect(ended.code === 0 || ended.code === 130 || ended.code === 143).toBe(true);
  await expect.poll(() => engines.filter(isAlive), { timeout: 10_000 }).toEqual([]);
});

test('a taken port is an error that names the port and the way out', async () => {
  const taken = createServer();
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, '127.0.0.1', () => {
      const address = taken.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  try {
    const { spawnSync } = await import('node:child_process');
    const { fileURLToPath } = await import('node:url');
    const binary = fileURLToPath(new URL('../../../apps/sandbox/dist/bin.js', import.meta.url));
    const ended = spawnSync(process.execPath, [binary, '--port', String(port)], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(ended.status).not.toBe(0);
    expect(ended.stderr).toContain(String(port));
    expect(ended.stderr).toContain('--port');
    expect(ended.stderr).not.toMatch(/\n\s+at /);
  } finally {
    taken.close();
  }
});

test('a reader that stops reading does not make the server’s memory grow', async () => {
  const sandbox = await start();
  const client = clientOf(sandbox);
  await (await client.speech.create({ text: 'Warm up.', format: 'wav' })).bytes();
  const before = memoryOf(sandbox.pid);
  const controller = new AbortController();
  // Some twenty minutes of wav: 100 MB, far more than the sockets between us can hold.
  const speech = await client.speech.create(
    { text: sentence.repeat(250), format: 'wav' },
    { signal: controller.signal },
  );
  const chunks = speech[Symbol.asyncIterator]();
  await chunks.next();
  await new Promise((resolve) => setTimeout(resolve, 6000));
  const grown = memoryOf(sandbox.pid) - before;
  controller.abort();
  expect(grown).toBeLessThan(60 * 1024 * 1024);
});
