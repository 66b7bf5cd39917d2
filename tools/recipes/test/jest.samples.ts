import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { pathOf, useFolder } from './runner.ts';

const require = createRequire(import.meta.url);
const readme = readFileSync(join(require.resolve('@speech-api/mock/package.json'), '../README.md'), 'utf8');
const [, recipe = ''] = /```js jest\n(.*?)```/s.exec(readme) ?? [];
const jest = join(require.resolve('jest/package.json'), '../bin/jest.js');

test("the mock's recipe for jest passes, and fails for another text with what came in", async () => {
  // Below this workspace, so that the packages are found.
  const place = useFolder(pathOf('../out/'));
  writeFileSync(join(place, 'package.json'), '{"type":"module","jest":{"transform":{}}}');
  const words = ['--experimental-vm-modules', jest, '--rootDir', place, '--colors=false', '--watchman=false'];
  const runJest = (text: string): Promise<{ stderr: string }> => {
    writeFileSync(join(place, 'mock.test.js'), text);
    return promisify(execFile)(process.execPath, words, { cwd: place });
  };
  expect((await runJest(recipe)).stderr).toContain('1 passed');
  const other = recipe.replace(
    "text: 'Hello.' });\n  expect(mock).toBe",
    "text: 'Bye.' });\n  expect(mock).toBe",
  );
  const stderr = expect.stringMatching(/createSpeech .*was not called.*What came in/s);
  await expect(runJest(other)).rejects.toMatchObject({ code: 1, stderr });
});
