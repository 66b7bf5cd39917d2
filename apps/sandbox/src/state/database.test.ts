import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { asUser, getModel, readModel } from '../testing/models.ts';
import { writeOldestData } from '../testing/oldest-data.ts';
import { newFolder, start } from '../testing/sandboxes.ts';
import { migrate, migrations } from './database.ts';

let data: string;
beforeEach(async () => {
  data = await newFolder();
});

const versionOf = (database: DatabaseSync): unknown => database.prepare('PRAGMA user_version').get();

test('brings the data of the oldest version to this one, with everything that is in it', async () => {
  await writeOldestData(data);
  const sandbox = await start({ data });
  expect(await readModel(sandbox, '0123456789abcdef0123456789abcdef')).toMatchObject({
    title: 'Made by the oldest version',
    state: 'trained',
    tags: ['old'],
    author: { _id: 'sandbox-user' },
    samples: [{ title: 'harbour.wav', text: 'One.' }],
  });
  // A seeded model that was deleted then is not there now.
  expect((await getModel(sandbox, 'sandbox-draft')).status).toBe(404);
  const list = await fetch(`${sandbox.url}/model?self=true&tag=old`, { headers: asUser() });
  expect(await list.json()).toMatchObject({ total: 1 });
  // Data that the oldest version did not have starts as in the seed data.
  const wallet = await fetch(`${sandbox.url}/wallet/self/api-credit`, { headers: asUser() });
  expect(await wallet.json()).toMatchObject({ credit: '100.00' });
  await sandbox.close();
  const database = new DatabaseSync(join(data, 'sandbox.db'));
  expect(versionOf(database)).toEqual({ user_version: migrations.length });
  database.close();
});

test('does nothing to a database that is up to date', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const before = database.prepare('SELECT sql FROM sqlite_schema').all();
  migrate(database);
  expect(database.prepare('SELECT sql FROM sqlite_schema').all()).toEqual(before);
});

test('takes a step whole or not at all, and goes on from there', () => {
  const database = new DatabaseSync(':memory:');
  const first = 'CREATE TABLE a (x TEXT) STRICT;';
  const second = 'CREATE TABLE b (x TEXT) STRICT;';
  expect(() => migrate(database, [first, second + second])).toThrow('already exists');
  expect(versionOf(database)).toEqual({ user_version: 1 });
  migrate(database, [first, second]);
  expect(versionOf(database)).toEqual({ user_version: 2 });
});

test('names a damaged data file and says what to do', async () => {
  await writeFile(join(data, 'sandbox.db'), 'not a database at all '.repeat(500));
  await expect(start({ data })).rejects.toThrow(/sandbox\.db is damaged\. Restore it/);
});
