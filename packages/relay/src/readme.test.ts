import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const readme = read('README.md');
// Inside this package, so that the samples find it by its name, and the frameworks.
const folder = fileURLToPath(new URL('../out/readme/', import.meta.url));
const samples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ''], index) => ({
  name: `sample-${index + 1}.ts`,
  // Each of them takes any free port, and ends when its last line has run.
  code: `${code.replaceAll('3000', '0')}\nprocess.exit(0);\n`,
}));

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const { name, code } of samples) writeFileSync(folder + name, code);
  writeFileSync(
    `${folder}tsconfig.json`,
    JSON.stringify({
      extends: '../../tsconfig.json',
      include: ['*.ts'],
      compilerOptions: { rootDir: '../..' },
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

test('every sample of the README compiles', async () => {
  const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
  const output = await run(process.execPath, [compiler, '-p', folder]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  expect(output).toBe('');
});

test.each(samples)('$name of the README runs', async ({ name }) => {
  const { stderr } = await run(process.execPath, [folder + name], { timeout: 50_000 });
  expect(stderr).toBe('');
});
