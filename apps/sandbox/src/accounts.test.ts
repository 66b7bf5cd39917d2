import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operationTable } from '@speech-api/types';
import { expect, test } from 'vitest';
import { createFakeSpeech } from './testing/fake-speech.ts';
import { asUser } from './testing/models.ts';
import { newFolder, speak, speechHeaders, start } from './testing/sandboxes.ts';

const calls = Object.values(operationTable).filter((operation) => !operation.webSocket);

const pathOf = (path: string): string =>
  path.replaceAll('{id}', 'sandbox-alba').replaceAll('{user_id}', 'self');

test.each(calls)('takes the key of section 5 at $method $path: 401 without one', async ({ method, path }) => {
  const { url } = await start();
  const response = await fetch(url + pathOf(path), { method });
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ status: 401, message: expect.stringContaining('Authorization') });
});

test('accepts the scheme in any case, as HTTP has it', async () => {
  const { url } = await start();
  const statuses = ['Bearer', 'bearer', 'BEARER'].map(async (scheme) => {
    const headers = { authorization: `${scheme} sandbox-key` };
    return (await fetch(`${url}/wallet/self/package`, { headers })).status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
});

test.each(calls.filter(({ path, method }) => path !== '/model' || method !== 'GET'))(
  'lets a key that may do nothing not use $method $path: 403',
  async ({ method, path }) => {
    const { url } = await start();
    const response = await fetch(url + pathOf(path), { method, headers: asUser('sandbox-forbidden') });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ status: 403, message: expect.any(String) });
  },
);

/** Two requests of one account that wait until they are let go. */
async function startBusy(options: { concurrency?: number; seed?: string }) {
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const speech = createFakeSpeech({ before: () => gate });
  const sandbox = await start({ speech, ...options });
  const waiting = [speak(sandbox, { text: 'a' }), speak(sandbox, { text: 'a' })];
  while (speech.jobs.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const finish = async (): Promise<void> => {
    open();
    for (const response of await Promise.all(waiting)) await response.bytes();
  };
  return { sandbox, finish };
}

test('takes the limit of requests under way from the command line, for each account', async () => {
  const { sandbox, finish } = await startBusy({ concurrency: 2 });
  const refused = await speak(sandbox, { text: 'a' });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('ratelimit-limit-concurrency')).toBe('2');
  const other = await fetch(`${sandbox.url}/model`, { headers: asUser('sandbox-empty') });
  expect(other.status).toBe(200);
  expect(other.headers.get('ratelimit-current-concurrency')).toBe('1');
  await finish();
});

test('takes the limit of an account from the seed data', async () => {
  const seed = join(await newFolder(), 'seed.json');
  const account = { key: 'sandbox-key', user: { _id: 'sandbox-user' }, concurrency: 2 };
  await writeFile(seed, JSON.stringify({ accounts: [account] }));
  const { sandbox, finish } = await startBusy({ seed });
  expect((await speak(sandbox, { text: 'a' })).status).toBe(429);
  await finish();
});

test('keeps accounts apart: what one spends and makes is not the other one’s', async () => {
  const seed = join(await newFolder(), 'seed.json');
  const accounts = ['one', 'two'].map((name) => ({ key: `key-${name}`, user: { _id: name } }));
  await writeFile(seed, JSON.stringify({ accounts }));
  const sandbox = await start({ seed });
  await (await speak(sandbox, { text: 'Hello' }, { ...speechHeaders, ...asUser('key-one') })).bytes();
  const creditOf = async (key: string): Promise<unknown> => {
    const response = await fetch(`${sandbox.url}/wallet/self/api-credit`, { headers: asUser(key) });
    return ((await response.json()) as { credit: string }).credit;
  };
  expect([await creditOf('key-one'), await creditOf('key-two')]).toEqual(['99.999925', '100.00']);
});
