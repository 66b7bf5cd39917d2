import { encode } from '@msgpack/msgpack';
import { createValidator } from '@speech-api/server';
import type { VoiceModel } from '@speech-api/types';
import { expect, test } from 'vitest';
import { makeWav } from '../testing/make-wav.ts';
import { asUser, getModel, makeModel, modelForm, onePixel, postModel, readModel } from '../testing/models.ts';
import { speak, speechHeaders, start } from '../testing/sandboxes.ts';

const settings = {
  type: 'tts',
  title: 'Harbour at dawn',
  train_mode: 'fast',
  visibility: 'unlist',
  description: 'Calm.',
  tags: ['calm', 'sea'],
};
const text = 'The lighthouse keeper counted the ships.';

test.each([
  ['multipart/form-data', () => modelForm({ ...settings, texts: [text] })],
  [
    'application/msgpack',
    () => encode({ ...settings, texts: [text], voices: [makeWav(200)] }) as Uint8Array<ArrayBuffer>,
  ],
  [
    'application/json',
    () =>
      JSON.stringify({
        ...settings,
        texts: [text],
        voices: [Buffer.from(makeWav(200)).toString('base64')],
      }),
  ],
])('creates a voice model from %s: 201 with the model of section 2.6', async (mediaType, body) => {
  const sandbox = await start();
  const response = await fetch(`${sandbox.url}/model`, {
    method: 'POST',
    headers: { ...asUser(), ...(mediaType.startsWith('multipart') ? {} : { 'content-type': mediaType }) },
    body: body(),
  });
  expect(response.status).toBe(201);
  const model = (await response.json()) as VoiceModel;
  const schema = { $ref: '#/components/schemas/VoiceModel' };
  expect(createValidator().validate(schema, model, 'json')).toEqual([]);
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

test('takes 20 recordings, with fewer texts than that', async () => {
  const voices = Array.from({ length: 20 }, (_, index) => makeWav(200 + index));
  const model = await makeModel(await start(), { voices, texts: ['One.', 'Two.'] });
  expect(model.samples?.map((sample) => sample.text)).toEqual(['One.', 'Two.', ...Array(18).fill('')]);
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
  const response = await fetch(model.samples?.[0]?.audio ?? '', {
    headers: { origin: 'https://evil.example' },
  });
  expect(response.status).toBe(403);
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
  expect(failed.quality?.audios?.map((each) => each.quality_passed)).toEqual([true, false]);
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
    const own = await fetch(`${sandbox.url}/model?self=true`, { headers: asUser('sandbox-empty') });
    expect(await own.json()).toMatchObject({ total: 1, items: [{ _id: model._id }] });
  },
);
