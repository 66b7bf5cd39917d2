import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiCredit, defaultModel, type Transcription } from '@speech-api/types';
import { onTestFinished } from 'vitest';
import { transcriptionHeader } from '../operations/transcription.ts';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '../start-sandbox.ts';
import { createFakeSpeech } from './fake-speech.ts';

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

export const speechHeaders: Readonly<Record<string, string>> = {
  authorization: 'Bearer sandbox-key',
  model: defaultModel,
  'content-type': 'application/json',
};

export function speak(
  sandbox: RunningSandbox,
  body: unknown,
  headers: Readonly<Record<string, string>> = speechHeaders,
  path = '/v1/tts',
): Promise<Response> {
  return fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** The wallet of the owner of a key. */
export async function readCredit({ url }: RunningSandbox, key = 'sandbox-key'): Promise<ApiCredit> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/wallet/self/api-credit`, { headers });
  return (await response.json()) as ApiCredit;
}

export async function creditOf(sandbox: RunningSandbox, key?: string): Promise<string> {
  return (await readCredit(sandbox, key)).credit;
}

export type Transcribed = Awaited<ReturnType<typeof transcribe>>;

/** Has a recording transcribed, with its segments. */
export async function transcribe({ url }: RunningSandbox, audio: Uint8Array, model?: string) {
  const form = new FormData();
  form.set('audio', new Blob([new Uint8Array(audio)]), 'recording');
  form.set('ignore_timestamps', 'false');
  const response = await fetch(`${url}/v1/asr`, {
    method: 'POST',
    // Each file has its own connection: a large one blocks this process for seconds, in which the server closes idle connections.
    headers: { authorization: 'Bearer sandbox-key', connection: 'close', ...(model && { model }) },
    body: form,
  });
  const source = response.headers.get(transcriptionHeader);
  const requestId = response.headers.get('x-request-id');
  const body = (await response.json()) as Transcription & { readonly message?: string };
  return { status: response.status, source, requestId, body };
}
