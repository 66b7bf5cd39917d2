import { type RunningSandbox, startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missingChromium } from '../browser/testing/chromium.ts';
import { because } from './testing/find-runtime.ts';
import { useInstalledPrograms } from './testing/installed-programs.ts';
import { runInChromium, serveProgram, serverRuntimes } from './testing/run-program.ts';

// The packages as they are published, in each runtime that their READMEs name, against the sandbox.

const programs = useInstalledPrograms();
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
});
afterAll(() => sandbox?.close());

for (const { name, isNode, missing, run } of serverRuntimes) {
  test.skipIf(missing).each(isNode ? (['smoke', 'files'] as const) : (['smoke'] as const))(
    `${name} runs %s${because(missing)}`,
    async (program) => {
      expect(await run(programs.folder, program, sandbox.url)).toMatch(/^works: /);
    },
  );
}

test.skipIf(missingChromium)(`Chromium runs smoke in a page${because(missingChromium)}`, async () => {
  const origin = await serveProgram(programs.folder, 'smoke.mjs');
  expect(await runInChromium(origin, 'smoke', sandbox.url)).toMatch(/^works: /);
});
