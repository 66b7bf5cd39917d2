import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { complete } from '@speech-api/config/suite';
import { expect, test } from 'vitest';
import { runCase, runFuzz } from './fuzz/run.ts';
import type { Outcome } from './fuzz/send.ts';
import { isAlive, memoryOf, startSandboxProcess } from './sandbox-process.ts';

const seconds = Number(process.env.FUZZ_SECONDS ?? (complete ? 20 : 10));
const seed = Number(process.env.FUZZ_SEED ?? 1);
const callers = Number(process.env.FUZZ_CALLERS ?? 4);
const single = process.env.FUZZ_CASE;

const canary = 'nobody-may-read-this';
/** 501 is what the sandbox says of what it does not do, 503 what it says when it is asked for too much at once. */
const allowedFaults = [501, 503];

function check({ status, text }: Outcome): void {
  if (status !== undefined && status >= 500 && !allowedFaults.includes(status)) {
    throw new Error(`status ${status}: ${text.slice(0, 500)}`);
  }
  if (text.includes(canary)) throw new Error('a file outside the data folder was read');
}

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
      const goOn = () => isAlive(pid);
      if (single !== undefined) {
        await runCase({ url, seed, check }, Number(single));
        return;
      }
      const report = await runFuzz({ url, seed, seconds: seconds / 2, callers, goOn, check });
      const statuses = [...report.statuses].sort().map(([status, count]) => `${status}: ${count}`);
      const memory = Math.round(memoryOf(pid) / 2 ** 20);
      process.stdout.write(
        `${mode}: ${report.cases} cases with seed ${seed}; ${statuses.join(', ')}; ${memory} MiB\n`,
      );
      expect([...report.failures, ...complaints]).toEqual([]);
      expect(report.cases).toBeGreaterThan(seconds / 2);
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
