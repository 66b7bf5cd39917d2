import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOutput, writeOutput } from './output.ts';

let directory: string;

beforeEach(async () => {
  directory = `${await mkdtemp(join(tmpdir(), 'codegen-'))}/`;
});

afterEach(() => rm(directory, { recursive: true }));

test('writes what changed, removes what is gone, and leaves the rest', async () => {
  await writeFile(`${directory}same.ts`, 'same\n');
  await writeFile(`${directory}stale.ts`, 'old\n');
  await writeFile(`${directory}gone.ts`, 'gone\n');
  const files = new Map([
    ['same.ts', 'same\n'],
    ['stale.ts', 'new\n'],
    ['fresh.ts', 'fresh\n'],
  ]);
  expect(await writeOutput(files, directory)).toEqual(['fresh.ts', 'gone.ts', 'stale.ts']);
  expect(await readdir(directory)).toEqual(['fresh.ts', 'same.ts', 'stale.ts']);
  expect(await readFile(`${directory}stale.ts`, 'utf8')).toBe('new\n');
  expect(await writeOutput(files, directory)).toEqual([]);
});

test('takes the line ends of another system for the same file', async () => {
  await writeFile(`${directory}same.ts`, 'one\r\ntwo\r\n');
  expect(await readOutput(directory)).toEqual(new Map([['same.ts', 'one\ntwo\n']]));
});
