import { decode } from '@speech-api/msgpack';
import { requiredFields } from '@speech-api/types/constants';
import { expect, test, vi } from 'vitest';
import { AbortError, TimeoutError } from '../errors.ts';
import type { SpeechClient } from '../index.ts';
import { TrainingError } from '../service-errors.ts';
import { speakersOf } from '../speakers.ts';
import { clientOf, errorOf, tone, voiceOf } from '../testing/samples.ts';
import { sendJson, startServer } from '../testing/start-server.ts';

const transcription = { text: 'Hello.', duration: 1, segments: [] };

test('a list is its first page when awaited and every item when iterated', async () => {
  const pages = [['a', 'b'], ['c', 'd'], ['e']];
  const server = await startServer(({ url }, response) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page_number'));
    const items = (pages[page - 1] ?? []).map((id) => voiceOf(id));
    sendJson(response, { total: 5, items, has_more: page < pages.length });
  });
  const { models } = clientOf(server.url);
  const list = models.list({ page_size: 2, tag: ['calm', 'warm'] });
  expect(server.seen).toEqual([]);
  expect(await list).toMatchObject({ total: 5, items: [{ _id: 'a' }, { _id: 'b' }] });
  const names: string[] = [];
  for await (const { _id } of list) names.push(_id);
  expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(server.seen.map(({ url }) => url)).toEqual([
    '/model?page_size=2&tag=calm&tag=warm&page_number=1',
    '/model?page_size=2&tag=calm&tag=warm&page_number=2',
    '/model?page_size=2&tag=calm&tag=warm&page_number=3',
  ]);
  expect((await list.page(3)).items).toEqual([voiceOf('e')]);
  // The stream is awaited as the result of an async function, and can still be iterated.
  const behind = async () => models.list().finally(() => names.splice(0));
  for await (const { _id } of await behind()) names.push(_id);
  expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
  const unreached = clientOf('http://127.0.0.1:1', { retry: { retries: 0 } }).models.list();
  expect(await unreached.catch(() => 'caught')).toBe('caught');
});

test('the refusal of a new model names the operation', async () => {
  const server = await startServer((_request, response) => sendJson(response, { message: 'no' }, 400));
  const fields = { type: 'tts', title: 'Voice', train_mode: 'fast', visibility: 'private' } as const;
  const refusal = await errorOf(clientOf(server.url).models.create({ ...fields, voices: tone(10) }));
  expect(refusal).toMatchObject({ operationId: 'createModel', status: 400 });
});

test('a model is created with a form of repeated parts, its booleans as words', async () => {
  const server = await startServer((_request, response) => sendJson(response, voiceOf('new'), 201));
  const created = await clientOf(server.url).models.create({
    type: 'tts',
    title: 'Voice',
    train_mode: 'fast',
    visibility: 'private',
    enhance_audio_quality: false,
    voices: [tone(10), new File([tone(10)], 'second.wav', { type: 'audio/wav' })],
    texts: ['one', 'two'],
  });
  expect(created._id).toBe('new');
  const [seen] = server.seen;
  const form = await new Response(new Uint8Array(seen?.body ?? []), {
    headers: { 'content-type': String(seen?.headers['content-type']) },
  }).formData();
  expect(form.getAll('texts')).toEqual(['one', 'two']);
  expect(form.get('enhance_audio_quality')).toBe('false');
  expect(
    form.getAll('voices').map((voice) => (voice instanceof File ? [voice.name, voice.size] : [])),
  ).toEqual([
    ['voices', 20],
    ['second.wav', 20],
  ]);
});

test('a model can go as MessagePack', async () => {
  const server = await startServer((_request, response) => sendJson(response, voiceOf('new'), 201));
  const fields = { type: 'tts', title: 'Voice', train_mode: 'fast', visibility: 'private' } as const;
  const voices = [tone(10), new Blob([tone(5)])];
  await clientOf(server.url).models.create({ ...fields, voices }, { contentType: 'application/msgpack' });
  const [seen] = server.seen;
  expect(seen?.headers['content-type']).toBe('application/msgpack');
  expect(decode(new Uint8Array(seen?.body ?? []))).toEqual({ ...fields, voices: [tone(10), tone(5)] });
});

test('update and delete take an answer with or without a body', async () => {
  const statuses = [204, 205, 200, 204];
  const server = await startServer((_request, response) => {
    const turn = server.seen.length;
    response.writeHead(statuses[turn - 1] ?? 500).end(turn === 3 ? 'done' : '');
  });
  // Each gives its place to the next.
  const { models } = clientOf(server.url, { concurrency: 1, timeouts: { queue: 3000 } });
  await models.update('voice', { title: 'New', description: null });
  await models.update('voice', { tags: ['a', 'b'] });
  await models.delete('voice');
  await models.delete('voice');
  expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'PATCH /model/voice',
    'PATCH /model/voice',
    'DELETE /model/voice',
    'DELETE /model/voice',
  ]);
  expect(JSON.parse(String(server.seen[0]?.body))).toEqual({ title: 'New', description: null });
});

test('the wallet is that of the key unless another user is named, and its credit stays text', async () => {
  const server = await startServer((_request, response) =>
    sendJson(response, {
      credit: '12.3400',
      ...Object.fromEntries(requiredFields.Package.map((name) => [name, 5])),
    }),
  );
  const { wallet } = clientOf(server.url);
  expect((await wallet.getApiCredit()).credit).toBe('12.3400');
  await wallet.getApiCredit('someone');
  await wallet.getPackage();
  expect(server.seen.map(({ url }) => url)).toEqual([
    '/wallet/self/api-credit',
    '/wallet/someone/api-credit',
    '/wallet/self/package',
  ]);
});

test('unknown fields and unknown words of an answer are handed on', async () => {
  const model = { ...voiceOf('x'), state: 'resting', mood: { new: true } };
  const server = await startServer((_request, response) => sendJson(response, model));
  expect(await clientOf(server.url).models.get('x')).toEqual(model);
});

test.each([
  ['application/json', '{"title":"New","tags":["a, b","c"]}'],
  ['application/x-www-form-urlencoded', 'title=New&tags=a%2C+b&tags=c'],
  ['multipart/form-data', ['New', 'a, b', 'c']],
  ['application/msgpack', { title: 'New', tags: ['a, b', 'c'] }],
] as const)('an update goes as %s', async (contentType, expected) => {
  const server = await startServer((_request, response) => response.writeHead(200).end());
  const { models } = clientOf(server.url);
  await models.update('voice', { title: 'New', tags: ['a, b', 'c'] }, { contentType });
  const [seen] = server.seen;
  const body = new Uint8Array(seen?.body ?? []);
  const sentType = String(seen?.headers['content-type']);
  expect(sentType.split(';')[0]).toBe(contentType);
  if (contentType === 'application/msgpack') return expect(decode(body)).toEqual(expected);
  if (contentType !== 'multipart/form-data') return expect(String(seen?.body)).toBe(expected);
  const form = await new Response(body, { headers: { 'content-type': sentType } }).formData();
  return expect([form.get('title'), ...form.getAll('tags')]).toEqual(expected);
});

test('null and an empty array stay in JSON; null is left out of a form, where it means the same', async () => {
  const server = await startServer((_request, response) => response.writeHead(200).end());
  const { models } = clientOf(server.url);
  const contentType = 'application/x-www-form-urlencoded';
  await models.update('voice', { title: 'New', description: null }, { contentType });
  expect(String(server.seen[0]?.body)).toBe('title=New');
  expect(server.seen).toHaveLength(1);
  // In the interface, the picture of an update is a text field.
  await models.update('voice', { tags: [], cover_image: 'covers/new.png' });
  expect(String(server.seen[1]?.body)).toBe('{"tags":[],"cover_image":"covers/new.png"}');
});

test('a training is waited for, less and less often', async () => {
  const states = ['created', 'training', 'an unknown state', 'trained'];
  const times: number[] = [];
  const server = await startServer((_request, response) => {
    times.push(performance.now());
    sendJson(response, { ...voiceOf('voice'), state: states[server.seen.length - 1] });
  });
  const model = await clientOf(server.url).models.waitUntilTrained('voice', { minimumDelay: 60 });
  expect(model.state).toBe('trained');
  expect(server.seen).toHaveLength(4);
  const [first = 0, second = 0, , fourth = 0] = times;
  expect(second - first).toBeGreaterThan(50);
  expect(fourth - second).toBeGreaterThan(60 * (1.5 + 2.25) * 0.85);
});

test('a training that fails, lasts too long or is no longer waited for ends the wait', async () => {
  const server = await startServer(({ url }, response) =>
    sendJson(response, { ...voiceOf('voice'), state: url.endsWith('failed') ? 'failed' : 'training' }),
  );
  const { models } = clientOf(server.url);
  const failed = (await errorOf(models.waitUntilTrained('failed'))) as TrainingError;
  expect(failed).toBeInstanceOf(TrainingError);
  expect(failed.model.state).toBe('failed');
  const late = (await errorOf(
    models.waitUntilTrained('slow', { minimumDelay: 20, deadline: 500 }),
  )) as TimeoutError;
  expect(late).toBeInstanceOf(TimeoutError);
  expect(late).toMatchObject({ phase: 'training', milliseconds: 500 });
  expect(late.message).toContain('its state is "training"');
  const controller = new AbortController();
  const waiting = models.waitUntilTrained('slow', { signal: controller.signal });
  setTimeout(() => controller.abort('enough'), 50);
  expect(await errorOf(waiting)).toMatchObject({ name: 'AbortError', cause: 'enough' });
  expect(await errorOf(models.waitUntilTrained('slow', { signal: AbortSignal.abort() }))).toBeInstanceOf(
    AbortError,
  );
});

test('a list whose service leaves has_more out goes on while its total says so', async () => {
  const pages = [['a', 'b'], ['c', 'd'], ['e']];
  const server = await startServer(({ url }, response) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page_number'));
    sendJson(response, { total: 5, items: (pages[page - 1] ?? []).map((id) => voiceOf(id)) });
  });
  const { models } = clientOf(server.url);
  const ids: string[] = [];
  for await (const { _id } of models.list()) ids.push(_id);
  expect([ids.join(''), server.seen.length]).toEqual(['abcde', 3]);
  const later: string[] = [];
  for await (const { _id } of models.list({ page_number: 2 })) later.push(_id);
  expect(later.join('')).toBe('cde');
});

test('a transcription names its own model, and never that of the client', async () => {
  const server = await startServer((_request, response) => sendJson(response, transcription));
  const { transcriptions } = clientOf(server.url, { model: 's2.1-pro' });
  await transcriptions.create({ audio: tone(), diarize: 'auto', num_speakers: 2 });
  await transcriptions.create({ audio: tone() }, { model: 'transcribe-1-pro' });
  expect(server.seen.map(({ headers }) => headers.model)).toEqual([undefined, 'transcribe-1-pro']);
  expect(String(server.seen[0]?.body)).toMatch(/name="num_speakers"\r\n\r\n2/);
});

test('a transcription waits longer for its headers than other calls, and for more than Node grants not at all', async () => {
  const server = await startServer((_request, response) => sendJson(response, transcription));
  const waits: number[] = [];
  const setTimer = vi.spyOn(globalThis, 'setTimeout');
  // The largest file that is accepted.
  await clientOf(server.url).transcriptions.create({ audio: new Uint8Array(20_000_000) });
  for (const [, milliseconds = 0] of setTimer.mock.calls) waits.push(Math.round(milliseconds / 1000));
  setTimer.mockRestore();
  expect(waits).toEqual(expect.arrayContaining([500, 560]));
  const patient = { timeouts: { headers: Number.POSITIVE_INFINITY } };
  expect(await errorOf(clientOf(server.url).transcriptions.create({ audio: tone() }, patient))).toMatchObject(
    {
      name: 'RequestError',
      field: 'timeouts.headers',
      message: expect.stringMatching(/Long waits/),
    },
  );
  const { transcriptions } = clientOf(server.url, { fetch: (address, init) => fetch(address, init) });
  expect(await transcriptions.create({ audio: tone() }, patient)).toEqual(transcription);
  expect(server.seen).toHaveLength(2);
});

const withExtra: Readonly<Record<string, (client: SpeechClient, extra: object) => Promise<unknown>>> = {
  format: ({ speech }, extra) => speech.create({ text: 'Hi.' }, { extra: { ...extra } }),
  language: ({ transcriptions }, extra) => transcriptions.create({ audio: tone() }, { extra: { ...extra } }),
  title: ({ models }, extra) => models.update('mine', { tags: ['a'] }, { extra: { ...extra } }),
};
test.each(Object.entries(withExtra))(
  'fields that nobody knows yet go with a request, %s does not',
  async (field, call) => {
    const server = await startServer((_request, response) => response.writeHead(400).end());
    const client = clientOf(server.url);
    await errorOf(call(client, { pronunciation_dictionary: 'mine' }));
    expect(String(server.seen[0]?.body)).toMatch(/pronunciation_dictionary.*mine/s);
    const error = { name: 'RequestError', field: `extra.${field}` };
    expect(await errorOf(call(client, { [field]: 'mine' }))).toMatchObject(error);
    expect(server.seen).toHaveLength(1);
  },
);

test('speakers come from the turns of a transcription, or from the marks in its text', () => {
  const text = '<|speaker:0|> Hello. <|speaker:1|> Hi [laughter].';
  const turns = [{ speaker: 'speaker:0', text: 'Hello.', start: 0, end: 1 }];
  expect(speakersOf({ text, speaker_turns: turns })).toBe(turns);
  expect(speakersOf({ text })).toEqual([
    { speaker: 'speaker:0', text: 'Hello.' },
    { speaker: 'speaker:1', text: 'Hi [laughter].' },
  ]);
  expect(speakersOf({ text: 'Hello.' })).toEqual([]);
});
