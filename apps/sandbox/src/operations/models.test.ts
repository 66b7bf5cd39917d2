import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VoiceModel, VoiceModelList } from '@speech-api/types';
import { expect, test } from 'vitest';
import type { RunningSandbox } from '../start-sandbox.ts';
import { asUser, getModel, makeModel, onePixel, postModel, readModel } from '../testing/models.ts';
import { newFolder, speak, speechHeaders, start } from '../testing/sandboxes.ts';
import { makeWav } from '../uploads/testing/sounds.ts';

const headers = { authorization: 'Bearer sandbox-key' };

async function list(query: string, key = 'sandbox-key'): Promise<VoiceModelList> {
  const { url } = await start();
  const response = await fetch(`${url}/model${query}`, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as VoiceModelList;
}

const idsOf = ({ items }: VoiceModelList): readonly string[] => items.map((model) => model._id);

test('lists public and own voice models, best liked first', async () => {
  const page = await list('');
  expect(idsOf(page)).toEqual([
    'sandbox-alba',
    'sandbox-mei',
    'sandbox-cleo',
    'sandbox-blake',
    'sandbox-draft',
  ]);
  expect(page).toMatchObject({ total: 5, has_more: false });
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

function patch({ url }: RunningSandbox, id: string, body: unknown): Promise<Response> {
  const type = { 'content-type': 'application/json' };
  const init = { method: 'PATCH', headers: { ...asUser(), ...type }, body: JSON.stringify(body) };
  return fetch(`${url}/model/${id}`, init);
}

function remove({ url }: RunningSandbox, id: string): Promise<Response> {
  return fetch(`${url}/model/${id}`, { method: 'DELETE', headers: asUser() });
}

const change = { title: 'Dusk', tags: ['late', 'sea'], visibility: 'unlist' };

test('changes a voice model: 200 with an empty body', async () => {
  const sandbox = await start();
  const before = await makeModel(sandbox, { description: 'Calm.', tags: ['early'] });
  const response = await patch(sandbox, before._id, change);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('');
  const after = await readModel(sandbox, before._id);
  expect(after).toEqual({ ...before, ...change, updated_at: after.updated_at });
  expect(Date.parse(after.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
});

test('deletes a voice model for good: 200 with an empty body, then 404 for every call about it', async () => {
  const sandbox = await start();
  const model = await makeModel(sandbox);
  const response = await remove(sandbox, model._id);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('');
  expect((await getModel(sandbox, model._id)).status).toBe(404);
  expect((await remove(sandbox, model._id)).status).toBe(404);
  expect((await patch(sandbox, model._id, { title: 'a' })).status).toBe(404);
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
  for (const response of [await patch(sandbox, id, { title: 'Mine' }), await remove(sandbox, id)]) {
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ status, message: expect.any(String) });
  }
});

const settings = {
  type: 'tts',
  title: 'Harbour at dawn',
  train_mode: 'fast',
  visibility: 'unlist',
  description: 'Calm.',
  tags: ['calm', 'sea'],
};
const text = 'The lighthouse keeper counted the ships.';

test('creates a voice model: 201 with the model of section 2.6', async () => {
  const sandbox = await start();
  const model = await makeModel(sandbox, { ...settings, texts: [text] });
  expect(model).toMatchObject({
    ...settings,
    _id: expect.stringMatching(/^[\da-f]{32}$/),
    state: 'trained',
    author: { _id: 'sandbox-user', nickname: 'Sandbox developer' },
    languages: ['en'],
    default_text: text,
    task_count: 0,
    samples: [{ text }],
  });
  expect(await readModel(sandbox, model._id)).toEqual(model);
});

test('keeps the cover image and the recordings, and gives addresses at which they are read without a key', async () => {
  const sandbox = await start();
  const voices = [makeWav(200), makeWav(300)];
  const model = await makeModel(sandbox, { visibility: 'public', cover_image: onePixel, voices });
  const cover = await fetch(model.cover_image ?? '');
  expect(cover.headers.get('content-type')).toBe('image/png');
  expect(cover.headers.get('x-content-type-options')).toBe('nosniff');
  expect(Buffer.from(await cover.bytes()).equals(onePixel)).toBe(true);
  for (const [index, sample] of (model.samples ?? []).entries()) {
    const audio = await fetch(sample.audio ?? '', { headers: { origin: 'http://localhost:4000' } });
    expect(audio.headers.get('content-type')).toBe('audio/wav');
    expect(await audio.bytes()).toEqual(new Uint8Array(voices[index] ?? []));
  }
});

test.each(['nothing.wav', '..%2Fsandbox.db', '../sandbox.db', `${'0'.repeat(32)}.wav`])(
  'has no file %s',
  async (name) => {
    const { url } = await start();
    expect((await fetch(`${url}/__sandbox/files/${name}`)).status).toBe(404);
  },
);

test('gives no page of a foreign site its files', async () => {
  const model = await makeModel(await start());
  const headers = { origin: 'https://evil.example' };
  expect((await fetch(model.samples?.[0]?.audio ?? '', { headers })).status).toBe(403);
});

test('trains a full voice model by and by, and says so until it is done', async () => {
  let now = Date.parse('2026-05-01T12:00:00Z');
  const sandbox = await start({ now: () => now, trainingSeconds: 8 });
  const model = await makeModel(sandbox, { train_mode: 'full' });
  const seen: Pick<VoiceModel, 'state' | 'updated_at'>[] = [];
  for (const seconds of [0, 1, 2, 7, 8, 1000]) {
    now = Date.parse(model.created_at) + seconds * 1000;
    const { state, updated_at } = await readModel(sandbox, model._id);
    seen.push({ state, updated_at });
  }
  expect(seen).toEqual([
    { state: 'created', updated_at: '2026-05-01T12:00:00.000Z' },
    { state: 'created', updated_at: '2026-05-01T12:00:00.000Z' },
    { state: 'training', updated_at: '2026-05-01T12:00:02.000Z' },
    { state: 'training', updated_at: '2026-05-01T12:00:02.000Z' },
    { state: 'trained', updated_at: '2026-05-01T12:00:08.000Z' },
    { state: 'trained', updated_at: '2026-05-01T12:00:08.000Z' },
  ]);
});

test('fails the training of a recording that is not audio, says why, and does not let it speak', async () => {
  let now = Date.now();
  const sandbox = await start({ now: () => now });
  const model = await makeModel(sandbox, {
    train_mode: 'full',
    voices: [makeWav(200), Buffer.from('not audio')],
  });
  expect(model).toMatchObject({ state: 'created' });
  now += 60_000;
  const failed = await readModel(sandbox, model._id);
  expect(failed.state).toBe('failed');
  expect(failed.quality?.audios?.map((audio) => audio.quality_passed)).toEqual([true, false]);
  expect(failed.quality?.audios?.[1]?.quality_reason).toContain('none of wav, mp3, flac');
  const response = await speak(sandbox, { text: 'a', reference_id: model._id });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ message: expect.stringContaining('training failed') });
});

test('refuses such a recording at once when the model should be usable at once', async () => {
  const sandbox = await start();
  const response = await postModel(sandbox, { voices: [makeWav(200), Buffer.from('not audio')] });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ status: 400, message: expect.stringContaining('voices[1]') });
  const list = await fetch(`${sandbox.url}/model?self=true&title=Harbour`, { headers: asUser() });
  expect(await list.json()).toMatchObject({ total: 0 });
});

test('speaks with a new voice as soon as it is trained, and counts its use', async () => {
  let now = Date.now();
  const sandbox = await start({ now: () => now });
  const { _id: id } = await makeModel(sandbox, { train_mode: 'full' });
  const refused = await speak(sandbox, { text: 'a', reference_id: id });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ message: expect.stringContaining('not trained yet') });
  now += 60_000;
  await (await speak(sandbox, { text: 'a', reference_id: id })).bytes();
  const dialogue = { text: '<|speaker:0|>a<|speaker:1|>b', reference_id: [id, 'sandbox-alba'] };
  await (await speak(sandbox, dialogue)).bytes();
  expect((await readModel(sandbox, id)).task_count).toBe(2);
  expect((await readModel(sandbox, 'sandbox-alba')).task_count).toBe(311);
});

test.each([
  ['private', 403, 400],
  ['unlist', 200, 200],
  ['public', 200, 200],
])(
  'lets others read a %s voice model with %i and speak with it with %i',
  async (visibility, read, spoken) => {
    const sandbox = await start();
    const model = await makeModel(sandbox, { visibility, cover_image: onePixel }, 'sandbox-empty');
    expect((await getModel(sandbox, model._id)).status).toBe(read);
    const response = await speak(sandbox, { text: 'a', reference_id: model._id }, speechHeaders);
    expect(response.status).toBe(spoken);
    const listed = await fetch(`${sandbox.url}/model?title=Harbour`, { headers: asUser() });
    expect(await listed.json()).toMatchObject({ total: visibility === 'public' ? 1 : 0 });
    const answer = await fetch(`${sandbox.url}/model?self=true`, { headers: asUser('sandbox-empty') });
    expect(await answer.json()).toMatchObject({ total: 1, items: [{ _id: model._id }] });
  },
);
