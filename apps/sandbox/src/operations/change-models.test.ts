import { encode } from '@msgpack/msgpack';
import { expect, it } from 'vitest';
import type { RunningSandbox } from '../start-sandbox.ts';
import { asUser, getModel, makeModel, onePixel, readModel } from '../testing/models.ts';
import { start } from '../testing/sandboxes.ts';

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

it.each<[string, string | undefined, () => Body]>([
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

it('section 4.4: leaves as it is what is null or left out', async () => {
  const sandbox = await start();
  const before = await makeModel(sandbox, { visibility: 'public', cover_image: onePixel, tags: ['early'] });
  const nothing = { title: null, description: null, cover_image: null, tags: null, visibility: null };
  for (const body of [nothing, {}]) {
    expect((await patchJson(sandbox, before._id, body)).status).toBe(200);
    const after = await readModel(sandbox, before._id);
    expect(after).toEqual({ ...before, updated_at: after.updated_at });
  }
});

it('takes empty values as values', async () => {
  const sandbox = await start();
  const { _id: id } = await makeModel(sandbox, { description: 'Calm.', tags: ['early'] });
  await patchJson(sandbox, id, { description: '', tags: [] });
  expect(await readModel(sandbox, id)).toMatchObject({ description: '', tags: [] });
});

it('takes one tag as a string', async () => {
  const sandbox = await start();
  const { _id: id } = await makeModel(sandbox);
  await patchJson(sandbox, id, { tags: 'late' });
  expect((await readModel(sandbox, id)).tags).toEqual(['late']);
});

it('puts another cover image in the place of the uploaded one, which is gone then', async () => {
  const sandbox = await start();
  const before = await makeModel(sandbox, { visibility: 'public', cover_image: onePixel });
  await patchJson(sandbox, before._id, { cover_image: 'covers/dusk.png' });
  expect((await readModel(sandbox, before._id)).cover_image).toBe('covers/dusk.png');
  expect((await fetch(before.cover_image ?? '')).status).toBe(404);
});

it('is found by its new title and tags, and by nobody else once it is private', async () => {
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

it.each([
  [{ tittle: 'New' }, ['body', 'tittle']],
  [{ title: 1 }, ['body', 'title']],
  [{ visibility: 'friends' }, ['body', 'visibility']],
  [{ tags: [1] }, ['body', 'tags', '0']],
])('refuses %j with 422 and changes nothing', async (body, loc) => {
  const sandbox = await start();
  const before = await readModel(sandbox, 'sandbox-draft');
  const response = await patchJson(sandbox, 'sandbox-draft', body);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject([{ loc, in: 'body' }]);
  expect(await readModel(sandbox, 'sandbox-draft')).toEqual(before);
});

it('deletes a voice model for good: 200 with an empty body, then 404 for whatever is asked of it', async () => {
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

it.each([
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
