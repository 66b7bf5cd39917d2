import { type RunningSandbox, startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { because } from './testing/find-runtime.ts';
import { useInstalledPrograms } from './testing/installed-programs.ts';
import { serverRuntimes } from './testing/run-program.ts';

// The packages as they are published, in each runtime that their READMEs name, against the sandbox. Browsers have their
// own suite.

const programs = useInstalledPrograms();
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
});
afterAll(() => sandbox?.close());

for (const { name, hasFiles, missing, run } of serverRuntimes) {
  test.skipIf(missing).each(hasFiles ? (['program', 'files'] as const) : (['program'] as const))(
    `${name} runs the %s${because(missing)}`,
    async (program) => {
      expect(await run(programs.folder, program, sandbox.url)).toMatch(/^works: /);
    },
  );
}
