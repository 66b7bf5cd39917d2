import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSeed } from './seed.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-seed-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(value: unknown): Promise<string> {
  const file = join(folder, 'team.json');
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

const team = { key: 'team-key', user: { _id: 'team-user' } };
const voice = {
  _id: 'team-voice',
  title: 'Team',
  author: { _id: 'team-user', nickname: 'Team', avatar: '' },
};

test('has built-in data that the spec allows, with the well-known keys and voices', () => {
  const seed = loadSeed(fileURLToPath(new URL('../seed/default.json', import.meta.url)));
  expect(seed).toEqual(loadSeed());
  expect(seed.accounts.map((account) => account.key)).toEqual([
    'sandbox-key',
    'sandbox-empty',
    'sandbox-busy',
    'sandbox-forbidden',
  ]);
  const ids = seed.models.map(({ model }) => model._id);
  expect(ids).toEqual(
    expect.arrayContaining(['sandbox-alba', 'sandbox-blake', 'sandbox-cleo', 'sandbox-mei']),
  );
});

test('adds the accounts and voice models of a file, and fills in missing fields', async () => {
  const file = await write({ accounts: [team], models: [{ model: voice }] });
  const seed = loadSeed(file);
  expect(seed.accounts).toHaveLength(5);
  expect(seed.accounts.at(-1)).toMatchObject({
    concurrency: 50,
    user: { nickname: 'team-user' },
    api_credit: { credit: '100.00', user_id: 'team-user' },
    package: { user_id: 'team-user' },
  });
  expect(seed.models.at(-1)).toMatchObject({
    title_language: 'en',
    model: { state: 'trained', visibility: 'public' },
  });
  expect(seed.prices).toEqual(loadSeed().prices);
});

test('lets an entry of a file take the place of the built-in one', async () => {
  const account = {
    key: 'sandbox-key',
    user: { _id: 'sandbox-user' },
    api_credit: { credit: '0.5' },
  };
  const prices = { speech_per_byte: { s1: '2' }, transcription_per_second: '1' };
  const seed = loadSeed(await write({ accounts: [account], prices }));
  expect(seed.accounts).toHaveLength(4);
  expect(seed.accounts[0]?.api_credit.credit).toBe('0.5');
  const { speech_per_byte: speech } = loadSeed().prices;
  expect(seed.prices).toEqual({ speech_per_byte: { ...speech, s1: '2' }, transcription_per_second: '1' });
});

test.each<[string, unknown, string]>([
  ['no JSON', '{', 'is not valid JSON'],
  ['an unknown part', { account: [] }, 'unknown field `account`'],
  ['an account without a key', { accounts: [{ user: { _id: 'a' } }] }, 'accounts[0].key'],
  ['a key that no header can carry', { accounts: [{ ...team, key: 'a b' }] }, 'accounts[0].key'],
  ['a field with a typing error', { accounts: [{ ...team, concurency: 5 }] }, '`accounts[0].concurency`'],
  ['negative credit', { accounts: [{ ...team, api_credit: { credit: '-1' } }] }, 'api_credit.credit'],
  [
    'a package without an end',
    { accounts: [{ ...team, package: { finished_at: 1 } }] },
    'accounts[0].package',
  ],
  ['a user twice', { accounts: [team, { ...team, key: 'b' }] }, 'two accounts have the user'],
  ['a built-in user', { accounts: [{ ...team, user: { _id: 'sandbox-user' } }] }, 'two accounts'],
  ['a voice without a title', { models: [{ model: { ...voice, title: undefined } }] }, 'title` is required'],
  ['a price that is not a number', { prices: { transcription_per_second: 'much' } }, 'prices.transcription'],
])('names the file and the place of %s', async (_what, value, words) => {
  const file = await write(value);
  expect(() => loadSeed(file)).toThrow(file);
  expect(() => loadSeed(file)).toThrow(words);
});

test('says that there is no such file', () => {
  expect(() => loadSeed(join(folder, 'nothing.json'))).toThrow('nothing.json cannot be read');
});
