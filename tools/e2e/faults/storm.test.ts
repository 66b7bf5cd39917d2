import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { complete } from '@speech-api/config/suite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oddFile } from './fuzz/values.ts';
import { memoryOf, startMeasured } from './sandbox-process.ts';

const key = { authorization: 'Bearer sandbox-key' };
const mebibyte = 2 ** 20;

const unknownKeys = JSON.stringify({
  text: 'a',
  ...Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`temperatur_${index}`, index])),
});

const sendKeys = async (url: string): Promise<number> => {
  const headers = { ...key, 'content-type': 'application/json', model: 's2-pro' };
  const answer = await fetch(`${url}/v1/tts`, { method: 'POST', headers, body: unknownKeys });
  expect(((await answer.json()) as unknown[]).length).toBe(20);
  return answer.status;
};

const sendFile = async (url: string, file: Buffer): Promise<number> => {
  const body = new FormData();
  body.append('audio', new Blob([new Uint8Array(file)]), 'odd');
  const answer = await fetch(`${url}/v1/asr`, { method: 'POST', headers: key, body });
  await answer.arrayBuffer();
  return answer.status;
};

/** Begins a request and never ends it. */
async function slowSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  await once(socket, 'connect');
  socket.write(`POST /v1/tts HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer sandbox-key\r\n`);
  return socket;
}

/** Works through jobs, some at a time. */
async function workOff<Job, Result>(
  jobs: readonly Job[],
  callers: number,
  work: (job: Job) => Promise<Result>,
): Promise<Result[]> {
  const waiting = jobs.values();
  const results: Result[] = [];
  const caller = async () => {
    for (const job of waiting) results.push(await work(job));
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return results;
}

const files = complete ? 500 : 100;

test(`25 000 unknown keys, ${files} odd audio files and 50 slow sockets: no 5xx, nobody else waits, and the memory comes back`, {
  timeout: 900_000,
}, async () => {
  const odd = fc.sample(oddFile, { seed: 7, numRuns: files });
  const { sandbox, usedBytes } = await startMeasured();
  const sockets: Socket[] = [];
  try {
    const { url, pid } = sandbox;
    // Threads and caches that stay are there before the memory is measured.
    await workOff(odd.slice(0, 20), 4, (file) => sendFile(url, file));
    await sendKeys(url);
    const heldBefore = memoryOf(pid) / mebibyte;
    const usedBefore = (await usedBytes()) / mebibyte;

    for (let index = 0; index < 50; index += 1) sockets.push(await slowSocket(url));
    let done = 0;
    let isOver = false;
    // For each small call, the number of other files finished while it waited for its answer.
    const overtaken: number[] = [];
    const bystander = (async () => {
      while (!isOver) {
        const before = done;
        const answer = await fetch(`${url}/wallet/self/package`, { headers: key });
        expect(answer.status).toBe(200);
        await answer.text();
        overtaken.push(done - before);
      }
    })();
    const [ofFiles, ofKeys] = await Promise.all([
      workOff(odd, 4, async (file) => {
        const status = await sendFile(url, file);
        done += 1;
        return status;
      }),
      workOff(Array.from({ length: 5 }), 1, () => sendKeys(url)),
    ]);
    isOver = true;
    await bystander;

    expect(ofFiles.filter((status) => status >= 500)).toEqual([]);
    expect(ofKeys).toEqual([422, 422, 422, 422, 422]);
    const used = async () => Math.round(((await usedBytes()) / mebibyte) * 10) / 10;
    const held = memoryOf(pid) / mebibyte;
    const most = Math.max(...overtaken);
    process.stdout.write(
      `${overtaken.length} other calls, at most ${most} files finished during one; memory used ` +
        `${usedBefore.toFixed(1)} MiB before, ${await used()} after; held ${heldBefore.toFixed(0)} and ${held.toFixed(0)}\n`,
    );
    // A call that waited for its turn behind the files would see most of them pass.
    expect(most).toBeLessThan(files / 4);
    await expect.poll(used, { timeout: 60_000 }).toBeLessThan(usedBefore + 2);
    // A decoder that stayed for each file would hold gigabytes.
    expect(held).toBeLessThan(heldBefore + 256);
  } finally {
    for (const socket of sockets) socket.destroy();
    await sandbox.kill('SIGTERM');
  }
});
