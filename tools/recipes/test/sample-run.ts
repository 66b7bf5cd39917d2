import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSpeechClient } from '@speech-api/client';
import { startSandbox } from '@speech-api/sandbox';
import { operationTable } from '@speech-api/types';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { findSamples, placeSamples, removeSamples, type Sample } from './placed-samples.ts';

const run = promisify(execFile);

/** What samples read; they lie beside each of them. */
const recordings = { 'sample.wav': 'wav', 'recording.mp3': 'mp3' } as const;

/** A sample with the folder that it is run in. */
export type PlacedSample = ReturnType<typeof placeSamples>[number];

/** The samples of one language, and how to run each of them against a sandbox of their own. */
export interface SampleRun {
  readonly samples: readonly PlacedSample[];
  /** Runs a sample, which has to succeed, say nothing on stderr, and write what its operation answers. */
  runSample(sample: PlacedSample, program: string): Promise<void>;
}

/** Prepares the samples of a language for the tests of one file. */
export function useSamples(language: Sample['language']): SampleRun {
  const placed = placeSamples(
    language,
    findSamples().filter((sample) => sample.language === language),
  );
  let sandbox: Awaited<ReturnType<typeof startSandbox>> | undefined;

  beforeAll(async () => {
    sandbox = await startSandbox({
      port: 0,
      seed: fileURLToPath(new URL('seed.json', import.meta.url)),
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
    removeSamples(language);
  });

  return {
    samples: placed,
    async runSample(sample, program) {
      const { cwd, file } = sample;
      const env = { ...process.env, SPEECH_BASE_URL: sandbox?.url ?? '', SPEECH_API_KEY: 'sandbox-key' };
      const { stdout, stderr } = await run(program, [file], { cwd, env });
      expect(stderr).toBe('');
      checkResult(sample, stdout);
    },
  };
}

/** What a sample wrote: to its output, and into files beside it. A call that is answered with nothing writes nothing. */
function checkResult({ sample, cwd, file }: PlacedSample, stdout: string): void {
  const written = readdirSync(cwd).filter((name) => name !== file && !(name in recordings));
  const { responseMediaTypes } = operationTable[sample.operationId as keyof typeof operationTable];
  if (responseMediaTypes.length > 0) expect(stdout.length + written.length).toBeGreaterThan(0);
  for (const name of written) expect([name, readFileSync(cwd + name).length > 50]).toEqual([name, true]);
}
