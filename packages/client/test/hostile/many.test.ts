import { expect, test } from 'vitest';
import { clientOf } from '../../src/testing/samples.ts';
import { startServer } from '../../src/testing/start-server.ts';

const request = { text: 'Hello there.', format: 'pcm' } as const;
const collect = (globalThis as { gc?: () => void }).gc ?? (() => undefined);

/** Begins some streams at a time and ends each in one of five ways, until `count` are over. */
async function abortMany(client: ReturnType<typeof clientOf>, count: number): Promise<void> {
  const ways = [
    async () => (await client.speech.create(request)).cancel(),
    async () => {
      for await (const _piece of await client.speech.create(request)) break;
    },
    async () => (await client.speech.create(request)).body.cancel(),
    async () => {
      const controller = new AbortController();
      const audio = await client.speech.create(request, { signal: controller.signal });
      const bytes = audio.bytes();
      controller.abort();
      await bytes.catch(() => undefined);
    },
    async () => (await client.speech.streamWithTimestamps(request)).cancel(),
  ];
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      await ways[begun % ways.length]?.();
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

test('1 000 aborted streams leave no memory, no timers, no sockets and no places behind', async () => {
  const server = await startServer(({ url }, response) => {
    const type = url.endsWith('with-timestamp') ? 'text/event-stream' : 'audio/pcm';
    response.writeHead(200, { 'content-type': type }).write(new Uint8Array(2000));
  });
  const client = clientOf(server.url, { concurrency: 4 });
  await abortMany(client, 100);
  collect();
  const before = process.memoryUsage().heapUsed;
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  await abortMany(client, 1000);
  await expect.poll(() => server.openSockets()).toBe(0);
  const grown = () => {
    collect();
    return process.memoryUsage().heapUsed - before;
  };
  // The test itself keeps only the list of requests that the server saw and the log.
  await expect.poll(grown).toBeLessThan(8 * 1024 * 1024);
  await expect
    .poll(() => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length)
    .toBeLessThanOrEqual(timers + 1);
  expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1100);
  const held = await Promise.all(Array.from({ length: 4 }, () => client.speech.create(request)));
  expect(held).toHaveLength(4);
  for (const audio of held) audio.cancel();
}, 120_000);
