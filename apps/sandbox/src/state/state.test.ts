import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { asUser, getModel, makeModel, onePixel, readModel } from '../testing/models.ts';
import { creditOf, newFolder, speak, start, transcribe } from '../testing/sandboxes.ts';
import { sharedSpeech } from '../testing/shared-speech.ts';

let data: string;
beforeEach(async () => {
  data = await newFolder();
});

test('has everything again after a restart on another port: voice models, recordings, credit', async () => {
  const first = await start({ data });
  const model = await makeModel(first, { visibility: 'public', cover_image: onePixel, texts: ['One.'] });
  await fetch(`${first.url}/model/${model._id}`, {
    method: 'PATCH',
    headers: asUser(),
    body: new URLSearchParams({ title: 'Dusk' }),
  });
  await (await speak(first, { text: 'Hello', reference_id: model._id })).bytes();
  const before = await readModel(first, model._id);
  await first.close();

  const second = await start({ data });
  const after = await readModel(second, model._id);
  expect(JSON.stringify(after)).toBe(JSON.stringify(before).replaceAll(first.url, second.url));
  expect(after).toMatchObject({ title: 'Dusk', task_count: 1 });
  expect((await fetch(after.samples?.[0]?.audio ?? '')).status).toBe(200);
  expect(await (await fetch(after.cover_image ?? '')).bytes()).toEqual(new Uint8Array(onePixel));
  expect(await creditOf(second)).toBe('99.999925');
});

test('goes on training while it is not running', async () => {
  let now = Date.now();
  const options = { data, now: () => now, trainingSeconds: 8 };
  const first = await start(options);
  const { _id: id } = await makeModel(first, { train_mode: 'full' });
  await first.close();
  now += 4_000;
  // The duration of a training is fixed when it begins.
  const second = await start({ ...options, trainingSeconds: 1_000 });
  expect((await readModel(second, id)).state).toBe('training');
  await second.close();
  now += 4_000;
  expect((await readModel(await start(options), id)).state).toBe('trained');
});

test('does not bring back a voice model of the seed data that was deleted or changed', async () => {
  const first = await start({ data });
  await fetch(`${first.url}/model/sandbox-draft`, { method: 'DELETE', headers: asUser() });
  await first.close();
  const second = await start({ data });
  expect((await getModel(second, 'sandbox-draft')).status).toBe(404);
});

test('lets one sandbox alone use a folder, and the next one when it is done', async () => {
  const first = await start({ data });
  await expect(start({ data })).rejects.toThrow('Another sandbox uses the data folder');
  await first.close();
  const second = await start({ data });
  expect((await getModel(second, 'sandbox-alba')).status).toBe(200);
});

test('removes what a killed process left unfinished, and nothing that is not its own', async () => {
  const files = join(data, 'files');
  await mkdir(files);
  const leftovers = [`${'a'.repeat(32)}.wav`, `${'b'.repeat(32)}.wav.part`];
  for (const name of [...leftovers, 'notes.txt']) await writeFile(join(files, name), 'x');
  const first = await start({ data });
  await makeModel(first);
  await first.close();
  await (await start({ data })).close();
  const names = await readdir(files);
  expect(names).toHaveLength(2);
  expect(names).toContain('notes.txt');
  expect(names).not.toEqual(expect.arrayContaining(leftovers));
});

test('names a damaged data file and says what to do', async () => {
  await writeFile(join(data, 'sandbox.db'), 'not a database at all '.repeat(500));
  await expect(start({ data })).rejects.toThrow(/sandbox\.db is damaged\. Restore it/);
});

test('is as the seed data has it after a reset, with its files gone', async () => {
  const sandbox = await start({ data });
  const model = await makeModel(sandbox);
  await (await speak(sandbox, { text: 'Hello' })).bytes();
  await fetch(`${sandbox.url}/model/sandbox-draft`, { method: 'DELETE', headers: asUser() });
  const response = await fetch(`${sandbox.url}/__sandbox/reset`, { method: 'POST' });
  expect(response.status).toBe(204);
  expect((await getModel(sandbox, model._id)).status).toBe(404);
  expect((await getModel(sandbox, 'sandbox-draft')).status).toBe(200);
  expect(await creditOf(sandbox)).toBe('100.00');
  expect(await readdir(join(data, 'files'))).toEqual([]);
});

test.each([{ origin: 'http://localhost:4000' }, { origin: 'https://evil.example' }, { origin: 'null' }])(
  'lets no page of another origin reset it: %j',
  async (headers) => {
    const sandbox = await start();
    const model = await makeModel(sandbox);
    const response = await fetch(`${sandbox.url}/__sandbox/reset`, { method: 'POST', headers });
    expect(response.status).toBe(403);
    expect((await getModel(sandbox, model._id)).status).toBe(200);
  },
);

test('recalls earlier speech after a restart, but not after a reset', async () => {
  const text = 'The ferry leaves at half past six.';
  const first = await start({ data, speech: sharedSpeech });
  const audio = await (await speak(first, { text, format: 'wav' })).bytes();
  await first.close();

  const second = await start({ data });
  expect(await transcribe(second, audio)).toMatchObject({ body: { text }, source: 'echo' });
  await fetch(`${second.url}/__sandbox/reset`, { method: 'POST' });
  expect(await transcribe(second, audio)).toMatchObject({ source: 'placeholder' });
});
