import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const folder = import.meta.dirname;
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** The compiler's errors in first-day.ts, by line. */
async function compile(): Promise<Map<number, string>> {
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [compiler, '-p', folder], (_error, stdout) => resolve(stdout));
  });
  const said = new Map<number, string>();
  let line = 0;
  for (const text of output.split('\n')) {
    line = Number(/first-day\.ts[(:](\d+)/.exec(text)?.[1] ?? line);
    if (text) said.set(line, `${said.get(line) ?? ''}${text}\n`);
  }
  return said;
}

test('each mistake of a first day gets words of the compiler that name it, and what is right compiles', async () => {
  const said = [...(await compile())];
  const lines = (await readFile(join(folder, 'first-day.ts'), 'utf8')).split('\n');
  const mistakes = lines.flatMap((text, index) => {
    const [, words] = /^\/\/ .*\. Says: (.*)$/.exec(text) ?? [];
    const length = lines.slice(index).indexOf('');
    return words === undefined ? [] : [{ words, first: index + 1, last: index + length }];
  });
  expect(mistakes).toHaveLength(21);
  for (const { words, first, last } of mistakes) {
    const own = said.filter(([line]) => line >= first && line <= last).map(([, message]) => message);
    expect(own.join('')).toContain(words);
  }
  const elsewhere = said.filter(
    ([line]) => !mistakes.some(({ first, last }) => line >= first && line <= last),
  );
  expect(elsewhere).toEqual([]);
}, 60_000);
