import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runCountedTwice } from './counted.ts';

let directory: string;
let printed: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'counted-'));
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true, force: true });
});

/** A runner whose test fails as often as told; its runs are counted by the marks that it leaves. */
const failing = (times: number) => [
  '--eval',
  `const fs = require('node:fs');
   const runs = fs.readdirSync(${JSON.stringify(directory)}).length;
   fs.writeFileSync(${JSON.stringify(directory)} + '/' + runs, '');
   const failed = runs < ${times};
   console.log(failed ? 'FAIL src/a.test.ts > holds\\nTests  1 failed (1)' : 'Tests  1 passed (1)');
   process.exit(failed ? 1 : 0);`,
];

it('gives what failed a second go where CI is set, and names it', async () => {
  vi.stubEnv('CI', 'true');
  const run = await runCountedTwice(process.execPath, failing(1));
  expect(run).toMatchObject({ passed: 1, failed: 0, code: 0 });
  expect(printed).toContain('FLAKY, passed at the second go only:\nFAIL src/a.test.ts > holds');
});

it('fails what fails twice', async () => {
  vi.stubEnv('CI', 'true');
  expect(await runCountedTwice(process.execPath, failing(2))).toMatchObject({ failed: 1, code: 1 });
  expect(printed).not.toContain('FLAKY');
});

it('fails at once where CI is not set', async () => {
  vi.stubEnv('CI', undefined);
  expect(await runCountedTwice(process.execPath, failing(1))).toMatchObject({ failed: 1, code: 1 });
});
