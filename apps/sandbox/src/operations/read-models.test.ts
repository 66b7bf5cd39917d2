import type { VoiceModelList } from '@speech-api/types';
import { expect, it } from 'vitest';
import { makeModel } from '../testing/models.ts';
import { start } from '../testing/sandboxes.ts';

const headers = { authorization: 'Bearer sandbox-key' };

async function list(query: string, key = 'sandbox-key'): Promise<VoiceModelList> {
  const { url } = await start();
  const response = await fetch(`${url}/model${query}`, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as VoiceModelList;
}

const idsOf = ({ items }: VoiceModelList): readonly string[] => items.map((model) => model._id);

it('lists public and own voice models, best liked first', async () => {
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

it('gives every model exactly once over its pages', async () => {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?page_size=2&page_number=${page}`)));
  expect(pages.flatMap(idsOf)).toEqual(idsOf(await list('')));
  expect(pages.map((page) => page.has_more)).toEqual([true, true, false, false]);
  expect(pages.map((page) => page.total)).toEqual([5, 5, 5, 5]);
});

it.each([
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

it('answers as many tags as a query may have, and pages beyond every end', async () => {
  const many = Array.from({ length: 990 }, (_, index) => `tag=t${index}`).join('&');
  expect(await list(`?${many}`)).toEqual({ total: 0, items: [], has_more: false });
  expect(await list('?page_number=999999999&page_size=999999999')).toMatchObject({
    total: 5,
    items: [],
    has_more: false,
  });
});

it('answers 10 models a page when nobody says how many', async () => {
  const sandbox = await start();
  for (let made = 0; made < 8; made += 1) await makeModel(sandbox, { title: `Voice ${made}` });
  const response = await fetch(`${sandbox.url}/model?self=true&title=voice`, { headers });
  // Eight of them, and the seeded draft of a voice.
  expect(await response.json()).toMatchObject({ total: 9, has_more: false });
  const all = await fetch(`${sandbox.url}/model`, { headers });
  expect(await all.json()).toMatchObject({ total: 13, has_more: true, items: { length: 10 } });
});

it.each([
  ['page_size=0', 'page_size'],
  ['page_number=0', 'page_number'],
  ['page_size=ten', 'page_size'],
  ['page_size=1&page_size=2', 'page_size'],
  ['sort_by=name', 'sort_by'],
  ['self=yes', 'self'],
  ['pagesize=1', 'pagesize'],
  ['tag[]=warm', 'tag[]'],
])('refuses ?%s with the part of the request in the list', async (query, name) => {
  const { url } = await start();
  const response = await fetch(`${url}/model?${query}`, { headers });
  expect(response.status).toBe(422);
  expect(await response.json()).toEqual([
    {
      loc: ['query', name],
      type: expect.any(String),
      msg: expect.stringContaining(name),
      ctx: expect.any(String),
      in: 'query',
    },
  ]);
});

it.each([
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

it('names a file of the audio field that came as text', async () => {
  const { url } = await start();
  const form = new FormData();
  form.append('audio', 'not a file');
  const response = await fetch(`${url}/v1/asr`, { method: 'POST', headers, body: form });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject([
    { loc: ['body', 'audio'], msg: expect.stringContaining('file part') },
  ]);
});
