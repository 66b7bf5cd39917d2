import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { complete } from '@speech-api/config/suite';
import { expect, onTestFinished, test } from 'vitest';

/** For each reader. */
const seconds = Number(process.env.FUZZ_READER_SECONDS ?? (complete ? 1 : 0.3));
const seed = Number(process.env.FUZZ_SEED ?? 1);
const only = process.env.FUZZ_READER ?? '';
const deadlineMilliseconds = 90_000;

interface Told {
  /** All readers that will be tried; told once, before the others. */
  readonly names?: readonly string[];
  readonly name: string;
  readonly given?: string;
  readonly cases?: number;
  readonly failure?: string;
}

test(`readers of outside bytes end with a value or an error of ours, however the bytes are cut (FUZZ_SEED=${seed})`, {
  timeout: (seconds * 40 + 600) * 1000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'speech-readers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = new URL('fuzz/read-in-thread.ts', import.meta.url);
  const worker = new Worker(program, {
    workerData: { seconds, seed, only, folder },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  let names: readonly string[] = [];
  let last: string | undefined;
  let given: string | undefined;
  await new Promise<void>((resolve) => {
    const fail = (what: string) => {
      failures.push(`${last}, ${given}: ${what}`);
      void worker.terminate();
    };
    const timer = setTimeout(() => fail('does not end'), deadlineMilliseconds);
    worker.on('message', (told: Told) => {
      timer.refresh();
      if (told.names !== undefined) {
        names = told.names;
        return;
      }
      last = told.name;
      if (told.cases !== undefined) counts[told.name] = told.cases;
      if (told.failure !== undefined) failures.push(`${told.name}, ${given}: ${told.failure}`);
      given = told.given;
    });
    worker.on('error', (error) =>
      fail(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  expect(failures).toEqual([]);
  expect(names, `readers whose name contains "${only}"`).not.toEqual([]);
  expect(names.filter((name) => !counts[name])).toEqual([]);
});
