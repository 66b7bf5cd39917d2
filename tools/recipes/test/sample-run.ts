import { execFile } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSpeechClient } from '@speech-api/client';
import { startSandbox } from '@speech-api/sandbox';
import { operationTable } from '@speech-api/types';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';

const run = promisify(execFile);
const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A plain file that does one operation in one language. */
export interface Sample {
  /** Such as `createSpeech/curl.sh`: the operation and the file. */
  readonly name: string;
  readonly path: string;
}

function find(folder: string, pattern: string): Sample[] {
  return globSync(pattern, { cwd: pathOf(folder) })
    .sort()
    .map((name) => ({ name, path: pathOf(folder) + name }));
}

/** Samples of the specification, such as all `curl.sh`. */
export const findSamples = (file: string): Sample[] => find('../../../spec/samples/', `*/${file}`);
/** Examples of the guides. */
export const findGuideExamples = (): Sample[] => find('../../../apps/docs/src/examples/', '*/*.sh');

/** The recordings that samples read, copied next to each of them. */
const recordings = { 'sample.wav': 'wav', 'ann.wav': 'wav', 'recording.mp3': 'mp3' } as const;

/** Copies samples into this workspace, because they import its dependencies by their names, for one test. */
export function placeSamples(samples: readonly Sample[]): string {
  const folder = pathOf(`../.temporary/${process.pid}-${performance.now()}/`);
  for (const { name, path } of samples) {
    mkdirSync(dirname(folder + name), { recursive: true });
    copyFileSync(path, folder + name);
  }
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

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
