import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const module = new URL('../lock.mjs', import.meta.url).href;

/** A process that logs when it gets and releases the lock. */
const holder = `
  import { appendFileSync } from 'node:fs';
  import { setTimeout } from 'node:timers/promises';
  const { holdLock } = await import(${JSON.stringify(module)});
  const unlock = await holdLock();
  appendFileSync('log', 'in ');
  await setTimeout(20);
  appendFileSync('log', 'out ');
  unlock();
`;

function hold(program = holder): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: folder,
      stdio: 'ignore',
    });
    child.on('error', reject);
    child.on('close', resolve);
  });
}

test('lets one process at a time in', async () => {
  expect(await Promise.all(Array.from({ length: 8 }, hold))).toEqual(Array(8).fill(0));
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('in out '.repeat(8));
});

test('takes over the lock of a process that is gone', async () => {
  mkdirSync(join(folder, '.turbo'));
  const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await new Promise((resolve) => gone.on('close', resolve));
  writeFileSync(join(folder, '.turbo/install-and-build.lock'), String(gone.pid));
  expect(await Promise.all([hold(), hold(), hold()])).toEqual([0, 0, 0]);
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('in out '.repeat(3));
});
