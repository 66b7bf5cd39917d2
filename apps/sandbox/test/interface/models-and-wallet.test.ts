import { encode } from '@msgpack/msgpack';
import { mediaTypes, type VoiceModel, type VoiceModelList } from '@speech-api/types';
import { expect, test } from 'vitest';
import { makeWav } from '../../src/testing/make-wav.ts';
import { makeModel, modelForm, postModel, readModel } from '../../src/testing/models.ts';
import { expectGeneral, expectIssues, useCalls } from './calls.ts';

const { call, speak, sandbox } = useCalls('silent', { trainingSeconds: 0.2 });

async function list(query = ''): Promise<VoiceModelList> {
  const response = await call(`/model${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as VoiceModelList;
}

const required = [
  '_id',
  'type',
  'title',
  'state',
  'tags',
  'created_at',
  'updated_at',
  'visibility',
  'like_count',
  'mark_count',
  'shared_count',
  'task_count',
  'author',
];

test('section 2.6: a voice model has all required fields, and author with id, nickname and avatar', async () => {
  const { items } = await list();
  expect(items.length).toBeGreaterThan(0);
  for (const model of items) {
    expect(Object.keys(model)).toEqual(expect.arrayContaining(required));
    expect(Object.keys(model.author).sort()).toEqual(['_id', 'avatar', 'nickname']);
    expect(['svc', 'tts']).toContain(model.type);
    expect(['created', 'training', 'trained', 'failed']).toContain(model.state);
    expect(['public', 'unlist', 'private']).toContain(model.visibility);
    expect(model.created_at).toBe(
      new Date(model.created_at)
        .toISOString()
        .replace('.000Z', model.created_at.includes('.') ? '.000Z' : 'Z'),
    );
  }
});

test('section 2.6: what a model may leave out has the default of the table', async () => {
  const { _id } = await makeModel(sandbox(), { train_mode: 'fast' });
  expect(await readModel(sandbox(), _id)).toMatchObject({
    description: '',
    cover_image: '',
    train_mode: 'fast',
    languages: [],
    lock_visibility: false,
    dmca_taken_down: false,
    default_text: '',
    unliked: false,
    liked: false,
    marked: false,
  });
});

test('section 2.6: a model made of recordings has a sample for each, with title, text and audio', async () => {
  const { samples } = await makeModel(sandbox(), {
    voices: [makeWav(200), makeWav(300)],
    texts: ['One.', 'Two.'],
  });
  expect(samples?.map((sample) => sample.text)).toEqual(['One.', 'Two.']);
  for (const sample of samples ?? []) {
    const response = await fetch(String(sample.audio));
    expect(response.headers.get('content-type')).toBe('audio/wav');
    expect((await response.bytes()).length).toBeGreaterThan(44);
  }
});

test('section 2.6: a list says how many there are in all and whether there are more', async () => {
  const first = await list('?page_size=2&page_number=1');
  expect(first.items).toHaveLength(2);
  expect(first.has_more).toBe(true);
  const last = await list(`?page_size=${first.total}&page_number=1`);
  expect(last).toMatchObject({ total: first.total, has_more: false });
  expect(last.items).toHaveLength(first.total);
});

test('section 3: a full model goes from created over training to trained', async () => {
  const model = await makeModel(sandbox(), { train_mode: 'full' });
  const states = [model.state];
  while (states.at(-1) !== 'trained') {
    const { state } = await readModel(sandbox(), model._id);
    if (state !== states.at(-1)) states.push(state);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(states).toEqual(['created', 'training', 'trained']);
});

test('section 4.4: a page size or number below 1 is refused', async () => {
  expect(await expectIssues(await call('/model?page_size=0'))).toEqual(['query', 'page_size']);
  expect(await expectIssues(await call('/model?page_number=0'))).toEqual(['query', 'page_number']);
});

test('section 4.4: title, tag, language and title language filter the list', async () => {
  const { items } = await list();
  const [model] = items.filter(({ tags, languages }) => tags.length > 0 && (languages ?? []).length > 0);
  if (model === undefined) throw new Error('the seed data has a model with tags and languages');
  const has = (found: VoiceModelList): boolean => found.items.some(({ _id }) => _id === model._id);
  expect(has(await list(`?title=${encodeURIComponent(model.title)}`))).toBe(true);
  expect(has(await list(`?tag=${encodeURIComponent(model.tags[0] ?? '')}`))).toBe(true);
  expect(has(await list(`?language=${model.languages?.[0]}`))).toBe(true);
  for (const query of [
    '?title=nothing-has-it',
    '?tag=nothing-has-it',
    '?language=xx',
    '?title_language=xx',
  ]) {
    expect((await list(query)).total).toBe(0);
  }
});

test('section 4.4: the author filter is ignored when own models are asked for', async () => {
  await makeModel(sandbox());
  const own = await list('?self=true');
  expect(own.total).toBeGreaterThan(0);
  expect((await list('?self=true&author_id=somebody-else')).total).toBe(own.total);
  expect((await list('?author_id=somebody-else')).total).toBe(0);
});

test.each(['score', 'task_count', 'created_at'])(
  'section 4.4: the list is sorted as asked',
  async (order) => {
    const { items } = await list(`?sort_by=${order}&page_size=100`);
    const rank = (model: VoiceModel): number =>
      order === 'created_at'
        ? Date.parse(model.created_at)
        : order === 'task_count'
          ? model.task_count
          : model.like_count + model.mark_count + model.shared_count;
    const ranks = items.map(rank);
    expect(ranks).toEqual(ranks.toSorted((one, other) => other - one));
  },
);

test('section 4.4: an unknown sort order is refused', async () => {
  expect(await expectIssues(await call('/model?sort_by=age'))).toEqual(['query', 'sort_by']);
});

test('section 4.4: POST /model makes a voice model, which GET /model/{id} then reads', async () => {
  const response = await postModel(sandbox(), { title: 'A new voice' });
  expect(response.status).toBe(201);
  const model = (await response.json()) as VoiceModel;
  expect(await readModel(sandbox(), model._id)).toMatchObject({ _id: model._id, title: 'A new voice' });
});

const changes = { title: 'Another title', description: 'A voice', tags: ['calm', 'low'] };
const form = new FormData();
const pairs = new URLSearchParams();
for (const [name, value] of Object.entries(changes).flatMap(([key, values]) =>
  [values].flat().map((each) => [key, each] as const),
)) {
  form.append(name, value);
  pairs.append(name, value);
}

test.each([
  ['JSON', JSON.stringify(changes), mediaTypes.json],
  ['MessagePack', new Uint8Array(encode(changes)), mediaTypes.msgpack],
  ['a form', form, undefined],
  ['pairs', pairs, undefined],
] as const)(
  'section 4.4: PATCH changes title, description and tags, in four media types',
  async (_, body, type) => {
    const model = await makeModel(sandbox());
    const changed = await call(`/model/${model._id}`, {
      method: 'PATCH',
      headers: { 'content-type': type },
      body,
    });
    expect(changed.status).toBe(200);
    expect(await readModel(sandbox(), model._id)).toMatchObject(changes);
  },
);

test('section 4.4: DELETE removes a voice model', async () => {
  const model = await makeModel(sandbox());
  expect((await call(`/model/${model._id}`, { method: 'DELETE' })).status).toBe(200);
  await expectGeneral(await call(`/model/${model._id}`), 404);
  await expectGeneral(await call(`/model/${model._id}`, { method: 'DELETE' }), 404);
});

test('section 4.4: the private model of another user is neither read, changed nor deleted', async () => {
  const model = await makeModel(sandbox());
  const headers = { authorization: 'Bearer sandbox-empty', 'content-type': mediaTypes.json };
  await expectGeneral(await call(`/model/${model._id}`, { headers }), 403);
  await expectGeneral(await call(`/model/${model._id}`, { method: 'PATCH', headers, body: '{}' }), 403);
  await expectGeneral(await call(`/model/${model._id}`, { method: 'DELETE', headers }), 403);
});

test('section 7: on model endpoints an issue says in which part of the request it is', async () => {
  const query = (await (await call('/model?page_size=0')).json()) as readonly unknown[];
  expect(query[0]).toMatchObject({ in: 'query' });
  const title = { method: 'POST', body: modelForm({ title: undefined }) };
  const body = (await (await call('/model', title)).json()) as readonly unknown[];
  expect(body[0]).toMatchObject({ in: 'body' });
});

test('section 2.7: the API credit has its seven fields, credit a decimal in a string', async () => {
  const response = await call('/wallet/self/api-credit');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    _id: expect.any(String),
    user_id: expect.any(String),
    credit: expect.stringMatching(/^\d+(\.\d+)?$/),
    created_at: expect.any(String),
    updated_at: expect.any(String),
    has_phone_sha256: expect.any(Boolean),
    has_free_credit: expect.any(Boolean),
  });
});

test('section 2.7: the package has its required fields, in integers and dates', async () => {
  const response = await call('/wallet/self/package');
  expect(response.status).toBe(200);
  const found = (await response.json()) as Record<string, unknown>;
  expect(found).toMatchObject({ user_id: expect.any(String), type: expect.any(String) });
  for (const field of ['total', 'balance']) expect(Number.isInteger(found[field])).toBe(true);
  for (const field of ['created_at', 'updated_at', 'finished_at']) {
    expect(Date.parse(String(found[field]))).toBeGreaterThan(0);
  }
});

test('section 2.7: what a package may leave out is of its type or null where it is there', async () => {
  const found = (await (await call('/wallet/self/package')).json()) as Record<string, unknown>;
  expect(Number.isInteger(found.extra_balance ?? 0)).toBe(true);
  expect(typeof (found.has_used_trial ?? false)).toBe('boolean');
  for (const field of ['payment_subscription_id', 'payment_price_id', 'billing_period']) {
    expect(['string', 'object']).toContain(typeof (found[field] ?? null));
  }
  for (const field of ['current_period_end', 'cancel_at', 'last_synced_at']) {
    expect(Date.parse(String(found[field] ?? found.created_at))).toBeGreaterThan(0);
  }
});

test('section 2.7: credit goes down with use, exactly', async () => {
  const credit = async (): Promise<number> => {
    const { credit: left } = (await (await call('/wallet/self/api-credit')).json()) as {
      readonly credit: string;
    };
    return Math.round(Number(left) * 1e9);
  };
  const before = await credit();
  await (await speak({ text: 'Ten bytes.' })).bytes();
  const after = await credit();
  expect(after).toBeLessThan(before);
  await (await speak({ text: 'Ten bytes.' })).bytes();
  expect(after - (await credit())).toBe(before - after);
});

test('section 4.5: self and the own user id name the same wallet, the id of another is refused', async () => {
  const own = (await (await call('/wallet/self/api-credit')).json()) as { readonly user_id: string };
  expect(await (await call(`/wallet/${own.user_id}/api-credit`)).json()).toEqual(own);
  expect((await call(`/wallet/${own.user_id}/package`)).status).toBe(200);
  await expectGeneral(await call('/wallet/sandbox-empty-user/api-credit'), 403);
  await expectGeneral(await call('/wallet/nobody/package'), 404);
});
