import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultModel } from '@speech-api/types';
import { onTestFinished } from 'vitest';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '../start-sandbox.ts';
import { createFakeSpeech } from './fake-speech.ts';

/** A folder of its own for a test, gone after it. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'speech-sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Starts a sandbox on a free port, with a fake engine unless told otherwise; it is closed after the test. */
export async function start(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox({ speech: createFakeSpeech(), ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** The headers of a good synthesis request in JSON. */
export const speechHeaders: Readonly<Record<string, string>> = {
  authorization: 'Bearer sandbox-key',
  model: defaultModel,
  'content-type': 'application/json',
};

/** Sends a synthesis request as JSON. */
export function speak(
  sandbox: RunningSandbox,
  body: unknown,
  headers: Readonly<Record<string, string>> = speechHeaders,
  path = '/v1/tts',
): Promise<Response> {
  return fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** The headers without one of them. */
export function without(name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(speechHeaders).filter(([each]) => each !== name));
}
