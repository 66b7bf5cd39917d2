import type { VoiceModel } from '@speech-api/types';
import { expect } from 'vitest';
import type { RunningSandbox } from '../start-sandbox.ts';
import { makeWav } from '../uploads/testing/sounds.ts';

/** The smallest picture: one pixel of PNG. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

export const asUser = (key = 'sandbox-key'): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** A request for a new voice model as a form. A list becomes repeated parts, bytes a file. */
function modelForm(fields: Readonly<Record<string, unknown>> = {}): FormData {
  const form = new FormData();
  const all = {
    type: 'tts',
    title: 'Harbour at dawn',
    train_mode: 'fast',
    visibility: 'private',
    voices: [makeWav(200)],
    ...fields,
  };
  for (const [name, value] of Object.entries(all)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each === undefined) continue;
      if (each instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(each)]), `${name}.wav`);
      else form.append(name, String(each));
    }
  }
  return form;
}

export function postModel(
  { url }: RunningSandbox,
  fields: Readonly<Record<string, unknown>> = {},
  key?: string,
): Promise<Response> {
  return fetch(`${url}/model`, { method: 'POST', headers: asUser(key), body: modelForm(fields) });
}

export async function makeModel(
  sandbox: RunningSandbox,
  fields: Readonly<Record<string, unknown>> = {},
  key?: string,
): Promise<VoiceModel> {
  const response = await postModel(sandbox, fields, key);
  expect(response.status).toBe(201);
  return (await response.json()) as VoiceModel;
}

export function getModel({ url }: RunningSandbox, id: string, key?: string): Promise<Response> {
  return fetch(`${url}/model/${id}`, { headers: asUser(key) });
}

export async function readModel(sandbox: RunningSandbox, id: string, key?: string): Promise<VoiceModel> {
  const response = await getModel(sandbox, id, key);
  expect(response.status).toBe(200);
  return (await response.json()) as VoiceModel;
}
