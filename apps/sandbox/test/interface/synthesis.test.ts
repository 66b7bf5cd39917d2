import { encode } from '@msgpack/msgpack';
import { audioMediaTypes, limits, mediaTypes, prosodyDefaults } from '@speech-api/types';
import { expect, test } from 'vitest';
import { makeWav } from '../../src/testing/make-wav.ts';
import { expectGeneral, expectIssues, useCalls } from './calls.ts';

const { call, speak } = useCalls('silent');

const statusOf = async (body: unknown, headers?: Record<string, string | undefined>): Promise<number> =>
  (await speak(body, headers === undefined ? {} : { headers })).status;

const pack = (body: unknown, path = '/v1/tts'): Promise<Response> =>
  speak(undefined, {
    path,
    headers: { 'content-type': mediaTypes.msgpack },
    body: new Uint8Array(encode(body)),
  });

const clip = { audio: makeWav(200), text: 'A sample.' };
const clipInJson = { ...clip, audio: Buffer.from(clip.audio).toString('base64') };
const dialogue = {
  text: '<|speaker:0|>Hello.<|speaker:1|>Hello to you.',
  reference_id: ['sandbox-alba', 'sandbox-blake'],
};

test('section 2.1: text is required', async () => {
  expect(await expectIssues(await speak({}))).toEqual(['body', 'text']);
});

test.each([
  ['temperature', -0.1, 1.1],
  ['top_p', -0.1, 1.1],
  ['chunk_length', 99, 301],
  ['min_chunk_length', -1, 101],
  ['early_stop_threshold', -0.1, 1.1],
])(
  'section 8: a number outside its range is refused, at its ends it is taken',
  async (field, below, above) => {
    const step = Number.isInteger(below) ? 1 : 0.1;
    for (const value of [below, above]) {
      expect(await expectIssues(await speak({ text: 'a', [field]: value }))).toEqual(['body', field]);
    }
    expect(await statusOf({ text: 'a', [field]: Math.round((below + step) * 10) / 10 })).toBe(200);
    expect(await statusOf({ text: 'a', [field]: Math.round((above - step) * 10) / 10 })).toBe(200);
  },
);

test('section 2.1: a value of another type is refused, and where it stands is said', async () => {
  expect(await expectIssues(await speak({ text: 1 }))).toEqual(['body', 'text']);
  expect(await expectIssues(await speak({ text: 'a', normalize: 'yes' }))).toEqual(['body', 'normalize']);
  expect(await expectIssues(await speak({ text: 'a', chunk_length: 150.5 }))).toEqual([
    'body',
    'chunk_length',
  ]);
});

test('section 2.1: format and latency take the values of the table alone', async () => {
  expect(await expectIssues(await speak({ text: 'a', format: 'flac' }))).toEqual(['body', 'format']);
  expect(await expectIssues(await speak({ text: 'a', latency: 'high' }))).toEqual(['body', 'latency']);
});

test('section 2.1: prosody and sample_rate may be null', async () => {
  expect(await statusOf({ text: 'a', prosody: null, sample_rate: null })).toBe(200);
});

test('section 2.1: one speaker is a reference_id or references, and neither is needed', async () => {
  expect(await statusOf({ text: 'a', reference_id: 'sandbox-alba' })).toBe(200);
  expect((await pack({ text: 'a', references: [clip] })).status).toBe(200);
  expect(await statusOf({ text: 'a' })).toBe(200);
});

test('section 2.1: a voice that is not there is refused', async () => {
  expect(await expectGeneral(await speak({ text: 'a', reference_id: 'nobody' }), 400)).toContain('nobody');
});

test('section 2.1: dialogue takes an array of voice model ids and speaker tags, on s2-pro only', async () => {
  expect(await statusOf(dialogue)).toBe(200);
  await expectGeneral(await speak(dialogue, { headers: { model: 's1' } }), 400);
});

test('section 2.1: a speaker tag without a voice is refused', async () => {
  const response = await speak({ ...dialogue, text: '<|speaker:2|>Who is this?' });
  expect(await expectGeneral(response, 400)).toContain('speaker');
});

test('section 2.1: zero-shot dialogue takes references by speaker, and reference_id of any names', async () => {
  const request = { ...dialogue, references: [[clip], [clip]], reference_id: ['a guest', 'a host'] };
  expect((await pack(request)).status).toBe(200);
  await expectGeneral(await pack({ ...request, reference_id: ['a guest'] }), 400);
});

test('section 2.1: reference audio comes as bytes in MessagePack and as base64 in JSON', async () => {
  expect((await pack({ text: 'a', references: [clip] })).status).toBe(200);
  expect(await statusOf({ text: 'a', references: [clipInJson] })).toBe(200);
});

test('section 2.1: a reference-audio item needs its audio and its text', async () => {
  const loc = await expectIssues(await speak({ text: 'a', references: [{ audio: clipInJson.audio }] }));
  expect(loc.slice(0, 3)).toEqual(['body', 'references', '0']);
  await expectIssues(await pack({ text: 'a', references: [{ text: 'A sample.' }] }));
});

test('section 2.2: speed from 0.5 to 2 is accepted, any other is refused', async () => {
  for (const speed of [0.5, 2]) expect(await statusOf({ text: 'a', prosody: { speed } })).toBe(200);
  for (const speed of [0.49, 2.01]) {
    expect(await expectIssues(await speak({ text: 'a', prosody: { speed } }))).toEqual([
      'body',
      'prosody',
      'speed',
    ]);
  }
});

test('section 2.2: the three fields of prosody are taken, and no other', async () => {
  expect(await statusOf({ text: 'a', prosody: prosodyDefaults })).toBe(200);
  const loc = await expectIssues(await speak({ text: 'a', prosody: { pitch: 1 } }));
  expect(loc).toEqual(['body', 'prosody', 'pitch']);
});

test.each(['wav', 'pcm', 'mp3', 'opus'] as const)(
  'section 4.1: the answer is 200 with the audio in the requested format',
  async (format) => {
    const response = await speak({ text: 'a', format });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(audioMediaTypes[format]);
  },
);

test('section 4.1: JSON and MessagePack take the same fields', async () => {
  const fields = { text: 'a', format: 'wav', sample_rate: 8000, prosody: { speed: 1.5 }, temperature: 0.2 };
  expect(await statusOf(fields)).toBe(200);
  expect((await pack(fields)).status).toBe(200);
  expect(await expectIssues(await pack({ ...fields, temperature: 2 }))).toEqual(['body', 'temperature']);
});

test('section 4.1: another media type than JSON and MessagePack is refused', async () => {
  await expectGeneral(await speak('', { headers: { 'content-type': 'text/plain' } }), 415);
});

test.each(['/v1/tts', '/v1/tts/stream/with-timestamp'])(
  'section 4.1: the model header is required on synthesis',
  async (path) => {
    const response = await speak({ text: 'a' }, { path, headers: { model: undefined } });
    expect(await expectIssues(response)).toEqual(['header', 'model']);
  },
);

test.each(['/v1/tts', '/v1/tts/stream/with-timestamp'])(
  'section 4.1: a field that is misspelt is refused',
  async (path) => {
    expect(await expectIssues(await speak({ text: 'a', sped: 1 }, { path }))).toEqual(['body', 'sped']);
  },
);

test('section 4.2: the answer is an event stream, sent in chunks, one data line an event', async () => {
  const response = await speak({ text: 'a' }, { path: '/v1/tts/stream/with-timestamp' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('transfer-encoding')).toBe('chunked');
  expect(await response.text()).toMatch(/^(data: \{[^\n]+\}\n\n)+$/);
});

test('section 4.2: it takes the same fields as the other endpoint, as JSON and MessagePack', async () => {
  const path = '/v1/tts/stream/with-timestamp';
  expect((await pack({ ...dialogue, format: 'opus' }, path)).status).toBe(200);
  expect((await speak({ ...dialogue, format: 'opus' }, { path })).status).toBe(200);
  await expectGeneral(await speak({ text: 'a', format: 'opus', sample_rate: 8000 }, { path }), 400);
});

test('section 8: a text above its limit is refused', async () => {
  const text = 'a'.repeat(limits.textCodePoints);
  expect(await statusOf({ text })).toBe(200);
  expect(await expectGeneral(await speak({ text: `${text}a` }), 400)).toContain(
    String(limits.textCodePoints),
  );
});

test.each(['s2.1-pro', 's2.1-pro-free', 's2-pro', 's1'])(
  'section 9: the four named models are selected by the model header',
  async (model) => {
    expect(await statusOf({ text: 'a' }, { model })).toBe(200);
  },
);

test('section 9: synthesis and transcription have the prefix /v1, voice models and wallet have none', async () => {
  expect((await call('/v1/model')).status).toBe(404);
  expect((await call('/v1/wallet/self/package')).status).toBe(404);
  expect((await call('/tts', { method: 'POST' })).status).toBe(404);
  expect((await call('/model')).status).toBe(200);
  expect((await call('/wallet/self/package')).status).toBe(200);
});
