import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { operationTable } from '@speech-api/types';
import { beforeAll, expect } from 'vitest';
import { placeSamples, run, type Sample, said, useSandbox } from './runner.ts';

/** The recordings that samples read, copied next to each of them. */
const recordings = { 'sample.wav': 'wav', 'ann.wav': 'wav', 'recording.mp3': 'mp3' } as const;

/** Runs each sample against one sandbox: it has to succeed, print nothing to stderr, and write what its operation answers. */
export function useSamples() {
  const sandbox = useSandbox();
  const sound = new Map<string, Uint8Array>();
  beforeAll(async () => {
    for (const [name, format] of Object.entries(recordings))
      sound.set(name, await (await sandbox.client.speech.create({ text: said, format })).bytes());
  });

  return async (sample: Sample, program: string, ...options: readonly string[]): Promise<void> => {
    // Each sample finds what the one before it may have deleted.
    const reset = await fetch(`${sandbox.url}/__sandbox/reset`, { method: 'POST' });
    expect(reset.status).toBe(204);
    const file = basename(sample.name);
    const cwd = dirname(placeSamples([sample]) + sample.name);
    for (const [name, bytes] of sound) writeFileSync(`${cwd}/${name}`, bytes);
    const printed = await run(sandbox.url, cwd, program, ...options, file);
    const written = readdirSync(cwd).filter((name) => name !== file && !sound.has(name));
    const operation = operationTable[dirname(sample.name) as keyof typeof operationTable];
    if (operation?.responseMediaTypes.length !== 0)
      expect(printed.length + written.length).toBeGreaterThan(0);
    for (const name of written)
      expect([name, readFileSync(`${cwd}/${name}`).length > 50]).toEqual([name, true]);
  };
}
