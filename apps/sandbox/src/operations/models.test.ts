import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode } from '@msgpack/msgpack';
import type { VoiceModelList } from '@speech-api/types';
import { expect, test } from 'vitest';
import type { RunningSandbox } from '../start-sandbox.ts';
import { asUser, getModel, makeModel, onePixel, readModel } from '../testing/models.ts';
import { newFolder, start } from '../testing/sandboxes.ts';

const headers = { authorization: 'Bearer sandbox-key' };

async function list(query: string, key = 'sandbox-key'): Promise<VoiceModelList> {
  const { url } = await start();
  const response = await fetch(`${url}/model${query}`, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as VoiceModelList;
}

const idsOf = ({ items }: VoiceModelList): readonly string[] => items.map((model) => model._id);

test('lists public and own voice models, best liked first', async () => {
  const found = await list('');
  expect(idsOf(found)).toEqual([
    'sandbox-alba',
    'sandbox-mei',
    'sandbox-cleo',
    'sandbox-blake',
    'sandbox-draft',
  ]);
  expect(found).toMatchObject({ total: 5, has_more: false });
  expect(idsOf(await list('', 'sandbox-empty'))).not.toContain('sandbox-draft');
});

test.each([
  ['?title=ALB', ['sandbox-alba']],
  ['?tag=warm', ['sandbox-alba', 'sandbox-mei']],
  ['?tag=warm&tag=narration', ['sandbox-alba', 'sandbox-mei']],
  ['?tag=warm&tag=news', []],
  ['?language=zh', ['sandbox-mei']],
  ['?self=true', ['sandbox-draft']],
  ['?self=true&author_id=sandbox-studio', ['sandbox-draft']],
  ['?author_id=sandbox-user', ['sandbox-draft']],
  ['?title_language=zh', []],
  ['?sort_by=task_count', ['sandbox-alba', 'sandbox-blake', 'sandbox-mei', 'sandbox-cleo', 'sandbox-draft']],
  ['?sort_by=created_at', ['sandbox-draft', 'sandbox-mei', 'sandbox-cleo', 'sandbox-blake', 'sandbox-alba']],
])('filters and sorts by %s', async (query, ids) => {
  expect(idsOf(await list(query))).toEqual(ids);
});

test('answers as many tags as a query may have, and pages beyond every end', async () => {
  const many = Array.from({ length: 990 }, (_, index) => `tag=t${index}`).join('&');
  expect(await list(`?${many}`)).toEqual({ total: 0, items: [], has_more: false });
  expect(await list('?page_number=999999999&page_size=999999999')).toMatchObject({
    total: 5,
    items: [],
    has_more: false,
  });
});

test('answers 10 models per page by default, and at most 100', async () => {
  const seed = join(await newFolder(), 'seed.json');
  const models = Array.from({ length: 120 }, (_, index) => ({
    model: {
      _id: `voice-${index}`,
      title: `Voice ${index}`,
      author: { _id: 'sandbox-user', nickname: 'Somebody', avatar: '' },
    },
  }));
  await writeFile(seed, JSON.stringify({ models }));
  const sandbox = await start({ seed });
  const page = async (query: string) =>
    (await fetch(`${sandbox.url}/model?self=true${query}`, { headers })).json();
  expect(await page('')).toMatchObject({ total: 121, has_more: true, items: { length: 10 } });
  expect(await page('&page_size=100000')).toMatchObject({ has_more: true, items: { length: 100 } });
  expect(await page('&page_size=100000&page_number=2')).toMatchObject({
    has_more: false,
    items: { length: 21 },
  });
});

test.each([
  ['sandbox-alba', 200],
  ['sandbox-quiet', 200],
  ['sandbox-draft', 200],
  ['sandbox-foreign', 403],
  ['no-such-model', 404],
  ['__proto__', 404],
])('answers GET /model/%s with %i', async (id, status) => {
  const { url } = await start();
  const response = await fetch(`${url}/model/${id}`, { headers });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject(status === 200 ? { _id: id } : { status });
});

type Body = string | FormData | URLSearchParams | Uint8Array<ArrayBuffer>;

function patch(
  { url }: RunningSandbox,
  id: string,
  body: Body,
  mediaType?: string,
  key?: string,
): Promise<Response> {
  const type = mediaType === undefined ? {} : { 'content-type': mediaType };
  return fetch(`${url}/model/${id}`, { method: 'PATCH', headers: { ...asUser(key), ...type }, body });
}

const patchJson = (sandbox: RunningSandbox, id: string, body: unknown, key?: string): Promise<Response> =>
  patch(sandbox, id, JSON.stringify(body), 'application/json', key);

function remove({ url }: RunningSandbox, id: string, key?: string): Promise<Response> {
  return fetch(`${url}/model/${id}`, { method: 'DELETE', headers: asUser(key) });
}

/** A form of either kind with the same entries. */
function fill<Form extends FormData | URLSearchParams>(form: Form): Form {
  form.append('title', 'Dusk');
  for (const tag of ['late', 'sea']) form.append('tags', tag);
  form.append('visibility', 'unlist');
  return form;
}

const change = { title: 'Dusk', tags: ['late', 'sea'], visibility: 'unlist' };

test.each<[string, string | undefined, () => Body]>([
  ['application/json', 'application/json', () => JSON.stringify(change)],
  ['application/x-www-form-urlencoded', undefined, () => fill(new URLSearchParams())],
  ['multipart/form-data', undefined, () => fill(new FormData())],
  ['application/msgpack', 'application/msgpack', () => encode(change) as Uint8Array<ArrayBuffer>],
])('changes a voice model by %s: 200 with an empty body', async (_name, mediaType, body) => {
  const sandbox = await start();
  const before = await makeModel(sandbox, { description: 'Calm.', tags: ['early'] });
  const response = await patch(sandbox, before._id, body(), mediaType);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('');
  const after = await readModel(sandbox, before._id);
  expect(after).toEqual({ ...before, ...change, updated_at: after.updated_at });
  expect(Date.parse(after.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
});

test('puts another cover image in the place of the uploaded one, which is gone then', async () => {
  const sandbox = await start();
  const before = await makeModel(sandbox, { visibility: 'public', cover_image: onePixel });
  await patchJson(sandbox, before._id, { cover_image: 'covers/dusk.png' });
  expect((await readModel(sandbox, before._id)).cover_image).toBe('covers/dusk.png');
  expect((await fetch(before.cover_image ?? '')).status).toBe(404);
});

test('is found by its new title and tags, and by nobody else once it is private', async () => {
  const sandbox = await start();
  const { _id: id } = await makeModel(sandbox, { visibility: 'public', cover_image: onePixel });
  await patchJson(sandbox, id, { title: '海边', tags: ['late'] });
  const total = async (query: string, key?: string): Promise<unknown> => {
    const response = await fetch(`${sandbox.url}/model?${query}`, { headers: asUser(key) });
    return ((await response.json()) as { total: number }).total;
  };
  expect(await total('title=Harbour')).toBe(0);
  expect(await total('tag=late')).toBe(1);
  expect(await total('title_language=zh')).toBe(1);
  expect(await total('tag=late', 'sandbox-empty')).toBe(1);
  await patchJson(sandbox, id, { visibility: 'private' });
  expect(await total('tag=late', 'sandbox-empty')).toBe(0);
  expect((await getModel(sandbox, id, 'sandbox-empty')).status).toBe(403);
});

test('deletes a voice model for good: 200 with an empty body, then 404 for whatever is asked of it', async () => {
  const sandbox = await start();
  const model = await makeModel(sandbox);
  const response = await remove(sandbox, model._id);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('');
  expect((await getModel(sandbox, model._id)).status).toBe(404);
  expect((await remove(sandbox, model._id)).status).toBe(404);
  expect((await patchJson(sandbox, model._id, { title: 'a' })).status).toBe(404);
  expect((await fetch(model.samples?.[0]?.audio ?? '')).status).toBe(404);
  const list = await fetch(`${sandbox.url}/model?self=true&title=Harbour`, { headers: asUser() });
  expect(await list.json()).toMatchObject({ total: 0 });
});

test.each([
  ['sandbox-alba', 403],
  ['sandbox-quiet', 403],
  ['sandbox-foreign', 403],
  ['no-such-model', 404],
])('lets nobody but its author change or delete %s: %i', async (id, status) => {
  const sandbox = await start();
  for (const response of [await patchJson(sandbox, id, { title: 'Mine' }), await remove(sandbox, id)]) {
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ status, message: expect.any(String) });
  }
});
