import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFakeSpeech } from '../testing/fake-speech.ts';
import { asUser } from '../testing/models.ts';
import { creditOf, newFolder, speak, speechHeaders, start } from '../testing/sandboxes.ts';

test('says what to do about a key that it does not know, without showing it', async () => {
  const { url } = await start();
  const unknown = await fetch(`${url}/model`, { headers: asUser('not-this-one') });
  const { message } = (await unknown.json()) as { readonly message: string };
  expect(unknown.status).toBe(401);
  expect(message).toMatch(/GET \/ .*--seed/);
  expect(message).not.toContain('not-this-one');
  expect(await (await fetch(url)).text()).toContain("'authorization: Bearer sandbox-key'");
});

test.each(['the command line', 'the seed data'])(
  'takes the limit of requests under way from %s, for each account',
  async (source) => {
    const seed = join(await newFolder(), 'seed.json');
    const account = { key: 'sandbox-key', user: { _id: 'sandbox-user' }, concurrency: 2 };
    await writeFile(seed, JSON.stringify({ accounts: [account] }));
    const gate = Promise.withResolvers<void>();
    const speech = createFakeSpeech({ before: () => gate.promise });
    const sandbox = await start({ speech, ...(source === 'the seed data' ? { seed } : { concurrency: 2 }) });
    const waiting = [speak(sandbox, { text: 'a' }), speak(sandbox, { text: 'a' })];
    await expect.poll(() => speech.jobs.length).toBe(2);
    const refused = await speak(sandbox, { text: 'a' });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit-limit-concurrency')).toBe('2');
    expect(refused.headers.get('ratelimit-current-concurrency')).toBe('2');
    expect(refused.headers.get('retry-after')).toBe('1');
    const answer = await fetch(`${sandbox.url}/model`, { headers: asUser('sandbox-empty') });
    expect([answer.status, answer.headers.get('ratelimit-current-concurrency')]).toEqual([200, '1']);
    gate.resolve();
    for (const response of await Promise.all(waiting)) await response.bytes();
    const after = await speak(sandbox, { text: 'a' });
    expect([after.status, after.headers.get('ratelimit-current-concurrency')]).toEqual([200, '1']);
  },
);

test('keeps accounts apart: what one spends and makes is not the other one’s', async () => {
  const seed = join(await newFolder(), 'seed.json');
  const accounts = ['one', 'two'].map((name) => ({ key: `key-${name}`, user: { _id: name } }));
  await writeFile(seed, JSON.stringify({ accounts }));
  const sandbox = await start({ seed });
  await (await speak(sandbox, { text: 'Hello' }, { ...speechHeaders, ...asUser('key-one') })).bytes();
  expect([await creditOf(sandbox, 'key-one'), await creditOf(sandbox, 'key-two')]).toEqual([
    '99.999925',
    '100.00',
  ]);
});
