import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSpeechClient } from '@speech-api/client';
import { startSandbox } from '@speech-api/sandbox';
import { operationTable } from '@speech-api/types';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { notWrittenYet } from '../src/not-written-yet.ts';
import { findSamples, placeSamples, removeSamples } from '../src/samples.ts';

const run = promisify(execFile);
const placed = placeSamples('run', findSamples());
const missingTools = ['bash', 'curl'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);

let sandbox: Awaited<ReturnType<typeof startSandbox>> | undefined;
const environment = () => ({
  ...process.env,
  SPEECH_BASE_URL: sandbox?.url ?? '',
  SPEECH_API_KEY: 'sandbox-key',
});

/** What samples read; they lie beside each of them. */
const recordings = { 'sample.wav': 'wav', 'recording.mp3': 'mp3' } as const;

beforeAll(async () => {
  sandbox = await startSandbox({
    port: 0,
    seed: fileURLToPath(new URL('../src/seed.json', import.meta.url)),
  });
  const client = createSpeechClient({ apiKey: 'sandbox-key', baseUrl: sandbox.url });
  for (const [name, format] of Object.entries(recordings)) {
    const speech = await client.speech.create({ text: 'What is said in the sample.', format });
    const bytes = await speech.bytes();
    for (const { cwd } of placed) writeFileSync(cwd + name, bytes);
  }
});

// Each sample finds what the one before it may have deleted.
beforeEach(async () => {
  const response = await fetch(`${sandbox?.url}/__sandbox/reset`, { method: 'POST' });
  expect(response.status).toBe(204);
});

afterAll(async () => {
  await sandbox?.close();
  removeSamples('run');
  for (const { operationId, reason } of notWrittenYet) {
    process.stdout.write(`no sample yet: ${operationId}: ${reason}\n`);
  }
});

/** What a sample wrote: to its output, and into files beside it. A call that is answered with nothing writes nothing. */
function checkResult({ sample, cwd, file }: (typeof placed)[number], stdout: string): void {
  const written = readdirSync(cwd).filter((name) => name !== file && !(name in recordings));
  const { responseMediaTypes } = operationTable[sample.operationId as keyof typeof operationTable];
  if (responseMediaTypes.length > 0) expect(stdout.length + written.length).toBeGreaterThan(0);
  for (const name of written) expect([name, readFileSync(cwd + name).length > 50]).toEqual([name, true]);
}

test.each(placed.filter(({ sample }) => sample.language === 'typescript'))(
  '$sample.operationId in TypeScript runs',
  async (sample) => {
    const { cwd, file } = sample;
    const { stdout, stderr } = await run(process.execPath, [file], { cwd, env: environment() });
    expect(stderr).toBe('');
    checkResult(sample, stdout);
  },
);

// In CI nothing is left out: there a missing tool fails each of these.
describe.skipIf(missingTools.length > 0 && process.env.CI === undefined)(
  missingTools.length > 0 ? `with curl (missing here: ${missingTools.join(', ')})` : 'with curl',
  () => {
    test.each(placed.filter(({ sample }) => sample.language === 'curl'))(
      '$sample.operationId with curl runs',
      async (sample) => {
        const { cwd, file } = sample;
        const { stdout, stderr } = await run('bash', [file], { cwd, env: environment() });
        expect(stderr).toBe('');
        checkResult(sample, stdout);
      },
    );
  },
);
