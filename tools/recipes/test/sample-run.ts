import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { createSpeechClient } from '@speech-api/client';
import { startSandbox } from '@speech-api/sandbox';
import { operationTable } from '@speech-api/types';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { pathOf, placeSamples, type Sample } from './sample-files.ts';

const run = promisify(execFile);

/** The recordings that samples read, copied next to each of them. */
const recordings = { 'sample.wav': 'wav', 'ann.wav': 'wav', 'recording.mp3': 'mp3' } as const;

/** Runs each sample against one sandbox: it has to succeed, print nothing to stderr, and write what its operation answers. */
export function useSandbox() {
  let sandbox: Awaited<ReturnType<typeof startSandbox>> | undefined;
  const sound = new Map<string, Uint8Array>();

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, seed: pathOf('seed.json') });
    const client = createSpeechClient({ apiKey: 'sandbox-key', baseUrl: sandbox.url });
    for (const [name, format] of Object.entries(recordings)) {
      const speech = await client.speech.create({ text: 'What is said in the sample.', format });
      sound.set(name, await speech.bytes());
    }
  });
  // Each sample finds what the one before it may have deleted.
  beforeEach(async () => {
    const response = await fetch(`${sandbox?.url}/__sandbox/reset`, { method: 'POST' });
    expect(response.status).toBe(204);
  });
  afterAll(() => sandbox?.close());

  return async (sample: Sample, program: string, ...options: readonly string[]): Promise<void> => {
    const folder = placeSamples([sample]);
    const file = basename(sample.name);
    const cwd = dirname(folder + sample.name);
    for (const [name, bytes] of sound) writeFileSync(`${cwd}/${name}`, bytes);
    const env = { ...process.env, SPEECH_BASE_URL: sandbox?.url ?? '', SPEECH_API_KEY: 'sandbox-key' };
    const { stdout, stderr } = await run(program, [...options, file], { cwd, env });
    expect(stderr).toBe('');
    const written = readdirSync(cwd).filter((name) => name !== file && !sound.has(name));
    const operation = operationTable[dirname(sample.name) as keyof typeof operationTable];
    if (operation?.responseMediaTypes.length !== 0) expect(stdout.length + written.length).toBeGreaterThan(0);
    for (const name of written)
      expect([name, readFileSync(`${cwd}/${name}`).length > 50]).toEqual([name, true]);
  };
}
