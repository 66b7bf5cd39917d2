import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { complete } from '@speech-api/config/suite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drive } from './fuzz/drive.ts';
import { type OddRequest, oddHttp, oddRequest, oddSession } from './fuzz/requests.ts';
import { type Outcome, sendBytes, sendRequest } from './fuzz/send.ts';
import { isAlive, memoryOf, startSandboxProcess } from './sandbox-process.ts';

const seconds = Number(process.env.FUZZ_SECONDS ?? (complete ? 20 : 10));
const seed = Number(process.env.FUZZ_SEED ?? 1);
const callers = Number(process.env.FUZZ_CALLERS ?? 4);

const canary = 'nobody-may-read-this';
/** 501 is what the sandbox says of what it does not do, 503 what it says when it is asked for too much at once. */
const allowedFaults = [501, 503];

function check({ status, text }: Outcome): void {
  if (status !== undefined && status >= 500 && !allowedFaults.includes(status)) {
    throw new Error(`status ${status}: ${text.slice(0, 500)}`);
  }
  if (text.includes(canary)) throw new Error('a file outside the data folder was read');
}

const deadlineMilliseconds = 60_000;
const patienceMilliseconds = 700;

/** Three in four are requests, the others bytes on a connection. */
const oddCase = fc.oneof(
  { weight: 6, arbitrary: oddRequest },
  { weight: 1, arbitrary: oddHttp },
  { weight: 1, arbitrary: oddSession },
);

const modes = { strict: [], lenient: ['--lenient'] } as const;

test.each(['strict', 'lenient'] as const)(
  `%s, stands ${seconds / 2} seconds of random bodies, headers, frames and files`,
  { timeout: (seconds + 120) * 1000 },
  async (mode) => {
    const outside = await mkdtemp(join(tmpdir(), 'speech-fuzz-'));
    const data = join(outside, 'data');
    const temporary = join(outside, 'tmp');
    await mkdir(temporary);
    await writeFile(join(outside, 'secret.txt'), canary);
    const complaints: string[] = [];
    const sandbox = await startSandboxProcess(['--data', data, ...modes[mode]], {
      directory: outside,
      environment: { HOME: outside, TMPDIR: temporary },
      onLog: (line) => {
        if (line.startsWith('failed ')) complaints.push(line);
      },
    });
    try {
      const { url, pid } = sandbox;
      const statuses = new Map<string, number>();
      const run = async (odd: OddRequest | Buffer): Promise<void> => {
        const outcome = Buffer.isBuffer(odd)
          ? await sendBytes(url, odd, patienceMilliseconds)
          : await sendRequest(url, odd, deadlineMilliseconds);
        const status = String(outcome.status ?? 'none');
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        try {
          check(outcome);
        } catch (error) {
          throw new Error(`${(error as Error).message}, after ${fc.stringify(odd)}`);
        }
      };
      const running = Array.from({ length: callers }, (_, caller) =>
        drive(oddCase, { seed: seed + caller * 1_000_000, seconds: seconds / 2 }, run),
      );
      await Promise.all(running);
      const cases = [...statuses.values()].reduce((sum, count) => sum + count, 0);
      const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
      const memory = Math.round(memoryOf(pid) / 2 ** 20);
      process.stdout.write(
        `${mode}: ${cases} cases with seed ${seed}; ${counts.join(', ')}; ${memory} MiB\n`,
      );
      expect(complaints).toEqual([]);
      expect(isAlive(pid)).toBe(true);
      expect((await fetch(`${url}/__sandbox/health`)).status).toBe(200);
      expect(memory).toBeLessThan(1024);
      expect((await readdir(outside)).sort()).toEqual(['data', 'secret.txt', 'tmp']);
      expect(await readdir(temporary)).toEqual([]);
    } finally {
      await sandbox.kill('SIGTERM');
      await rm(outside, { recursive: true });
    }
  },
);
