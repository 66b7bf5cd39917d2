import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startServerProcess } from '../../test/testing/server-process.ts';
import { sayAsWav } from './say.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sandboxUrl: string;
    /** The recording that the microphone of each browser plays over and over: {@link saidAtMicrophone}. */
    microphoneFile: string;
  }
}

/** Speech at the microphone, after some seconds of silence. */
export const saidAtMicrophone = 'Wait a moment, please. How far is it to the mill?';
const silentSeconds = 5;

/** Starts one sandbox for a whole run: the engines of a sandbox take seconds until they speak. */
export default async function shareSandbox(project: TestProject): Promise<() => Promise<void>> {
  const sandbox = await startServerProcess('sandbox');
  const folder = await mkdtemp(join(tmpdir(), 'microphone-'));
  const file = join(folder, 'said.wav');
  await writeFile(file, afterSilence(Buffer.from(await sayAsWav(sandbox.url, saidAtMicrophone))));
  project.provide('sandboxUrl', sandbox.url);
  project.provide('microphoneFile', file);
  return async () => {
    await sandbox.kill('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  };
}

function afterSilence(wav: Buffer): Buffer {
  const data = wav.indexOf('data') + 8;
  const silence = Buffer.alloc(wav.readUInt32LE(28) * silentSeconds);
  const whole = Buffer.concat([wav.subarray(0, data), silence, wav.subarray(data)]);
  whole.writeUInt32LE(whole.length - 8, 4);
  whole.writeUInt32LE(whole.length - data, data - 4);
  return whole;
}
