import { type RunningSandbox, startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingChromium } from '../browser/testing/chromium.ts';
import { because } from './testing/find-runtime.ts';
import { type InstalledProgram, installPacked } from './testing/install-packed.ts';
import {
  commandRuntimes,
  runCommand,
  runInChromium,
  runWorker,
  serveProgram,
  workerd,
} from './testing/run-program.ts';

// The packages as they are published, in each runtime that their READMEs name, against the sandbox.

let sandbox: RunningSandbox;
let program: InstalledProgram;

beforeAll(async () => {
  program = await installPacked();
  sandbox = await startSandbox({ port: 0 });
});

afterAll(async () => {
  await sandbox?.close();
  program?.remove();
});

describe.each(commandRuntimes)('%s', (name, runtime, options) => {
  const files = name.startsWith('Node 2') ? ['command.mjs', 'files.mjs'] : ['command.mjs'];
  test.skipIf(runtime.missing).each(files)(`runs %s${because(runtime.missing)}`, async (file) => {
    expect(await runCommand(runtime, options, program.folder, file, sandbox.url)).toMatch(/^works: /);
  });
});

test.skipIf(workerd.missing)(`workerd runs the program as a worker${because(workerd.missing)}`, async () => {
  expect(await runWorker(program.folder, 'worker.mjs', sandbox.url)).toMatch(/^works: /);
});

test.skipIf(missingChromium)(`Chromium runs the program in a page${because(missingChromium)}`, async () => {
  const page = await serveProgram(program.folder, 'smoke.mjs');
  try {
    expect(await runInChromium(page.origin, 'smoke', sandbox.url)).toMatch(/^works: /);
  } finally {
    page.close();
  }
});
