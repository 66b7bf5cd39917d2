import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const readme = readFileSync(join(require.resolve('@speech-api/mock/package.json'), '../README.md'), 'utf8');
const [, recipe = ''] = /```js jest\n(.*?)```/s.exec(readme) ?? [];
const jest = join(require.resolve('jest/package.json'), '../bin/jest.js');

/** Runs a test file with jest, in a folder from which the packages are found. */
async function runJest(text: string): Promise<{ code: number; output: string }> {
  const scratch = fileURLToPath(new URL('../out/', import.meta.url));
  mkdirSync(scratch, { recursive: true });
  const place = mkdtempSync(join(scratch, 'jest-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  writeFileSync(join(place, 'package.json'), '{"type":"module","jest":{"transform":{}}}');
  writeFileSync(join(place, 'mock.test.js'), text);
  const words = ['--experimental-vm-modules', jest, '--rootDir', place, '--colors=false', '--watchman=false'];
  return run(process.execPath, words, { cwd: place }).then(
    ({ stderr }) => ({ code: 0, output: stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, output: stderr }),
  );
}

test("the mock's recipe for jest passes, and fails for another text with what came in", async () => {
  expect(recipe).toContain('@jest/globals');
  expect(await runJest(recipe)).toMatchObject({ code: 0, output: expect.stringContaining('1 passed') });
  const other = await runJest(
    recipe.replace("text: 'Hello.' });\n  expect(mock).toBe", "text: 'Bye.' });\n  expect(mock).toBe"),
  );
  expect(other.code).toBe(1);
  expect(other.output).toMatch(/createSpeech .*was not called.*What came in/s);
});
