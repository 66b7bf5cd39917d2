import { headerNames } from '@speech-api/types';
import type { Relation } from '../../exchange.ts';
import {
  credit,
  type Example,
  exchange,
  generalError,
  page,
  speech,
  success,
  type Told,
  transcription,
  voiceModel,
} from '../../testing/exchanges.ts';
import { opusOf, pcmOf, wavOf } from '../../testing/sound.ts';

const member = (relation: Relation, role?: string) => ({
  groups: [{ id: 'g', relation, ...(role !== undefined && { role }) }],
});
const asr = (relation: Relation, name: string, body: object, told: Told = {}) =>
  exchange('createTranscription', { name, body, ...told, ...member(relation) });
const said = (relation: Relation, name: string, loudness = 0.5) =>
  speech({ format: 'wav', sample_rate: 8000 }, wavOf(pcmOf(1, 8000, loudness), 8000), 'audio/wav', {
    name,
    ...member(relation),
  });
const listed = (number: number, ids: readonly string[], changes: object) =>
  exchange('listModels', {
    name: `page ${number}`,
    path: `/model?page_size=2&page_number=${number}`,
    body: page(ids, changes),
    ...member('pages'),
  });

const filtered = (tags: readonly string[], total: number) =>
  exchange('listModels', {
    name: tags.join(),
    path: `/model?${tags.map((tag) => `tag=${tag}`).join('&')}`,
    body: page([], { total }),
    ...member('filters'),
  });

const step = (role: string, operationId: Parameters<typeof exchange>[0], told: Told) =>
  exchange(operationId, { name: role, path: '/model/v1', ...told, ...member('voice', role) });
const sent = { type: 'tts', title: 'Harbour', train_mode: 'fast', visibility: 'private' };
const create = step('create', 'createModel', { path: '/model', sent, body: voiceModel() });
const read = step('read', 'getModel', { body: voiceModel() });
const list = (ids: readonly string[]) =>
  step('list', 'listModels', { path: '/model?self=true', body: page(ids) });
const update = (fields: object, name = 'update') => ({
  ...step('update', 'updateModel', { sent: fields, body: '' }),
  name,
});
const readUpdated = (changes: object) => step('read-updated', 'getModel', { body: voiceModel(changes) });
const remove = step('delete', 'deleteModel', { body: '' });
const wav = wavOf(pcmOf(1, 8000), 8000);
const use = (status: number) =>
  step('use', 'createSpeech', {
    path: '/v1/tts',
    sent: { text: 'Hello there.', reference_id: 'v1', format: 'wav', sample_rate: 8000 },
    status,
    body: status === 200 ? wav : generalError(status),
    headers: {
      'content-type': status === 200 ? 'audio/wav' : 'application/json',
      'transfer-encoding': 'chunked',
    },
  });

const moment = (role: string, updated_at: string) =>
  step(role, role === 'create' ? 'createModel' : 'getModel', {
    ...(role === 'create' && { path: '/model', sent }),
    body: voiceModel({ updated_at, ...(role !== 'create' && { title: 'Quay' }) }),
  });
const traced = (name: string, digit: string) =>
  exchange('createTranscription', {
    name,
    body: transcription(),
    headers: { [headerNames.traceId]: digit.repeat(32) },
  });
const saying = (text: string, seconds: number) =>
  speech({ text, format: 'wav', sample_rate: 8000 }, wavOf(pcmOf(seconds, 8000), 8000), 'audio/wav', {
    name: text,
  });
/** As a decoder gives it: objects without a prototype. */
const asking = (text: string, seconds: number, ...order: readonly ('format' | 'prosody')[]) => {
  const { request, ...rest } = saying(text, seconds);
  const values = { format: 'wav', prosody: Object.assign(Object.create(null), { speed: 1 }) };
  const settings = Object.fromEntries(order.map((name) => [name, values[name]]));
  return { ...rest, request: { ...request, decoded: { text, sample_rate: 8000, ...settings } } };
};
const heard = (recorded: string, text: string) =>
  exchange('createTranscription', {
    name: recorded,
    body: transcription({ text }),
    ...member('recordings', recorded),
  });
const lasting = (seconds: number, role?: string) =>
  speech({ format: 'wav', sample_rate: 8000 }, wavOf(pcmOf(seconds, 8000), 8000), 'audio/wav', {
    name: `${seconds} seconds ${role ?? ''}`,
    ...member('speech', role),
  });

const [opusAt24, opusAt64] = [await opusOf(1.5, 24_000), await opusOf(1.5, 64_000)];
const coded = (role: string, audio: Uint8Array) =>
  speech({ format: 'opus' }, audio, 'audio/ogg', { name: role, ...member('speech', role) });
const loud = (role: string, loudness: number) =>
  speech(
    { format: 'wav', sample_rate: 8000, ...(role === 'fast' && { prosody: { volume: -10 } }) },
    wavOf(pcmOf(1, 8000, loudness), 8000),
    'audio/wav',
    { name: role, ...member('speech', role) },
  );

export const relationExamples: readonly Example[] = [
  {
    rule: 'encodings-agree',
    keeps: [
      asr('encodings', 'form', transcription()),
      asr('encodings', 'msgpack', transcription({ text: 'Another.' })),
    ],
    breaks: [
      asr('encodings', 'form', transcription()),
      asr('encodings', 'msgpack', transcription({ language_code: 'en' })),
    ],
  },
  {
    rule: 'encodings-agree',
    about: 'the status',
    keeps: [said('encodings', 'json'), said('encodings', 'msgpack')],
    breaks: [
      said('encodings', 'json'),
      { ...asr('encodings', 'msgpack', generalError(422), { status: 422 }) },
    ],
  },
  {
    rule: 'trace-changes-nothing',
    keeps: [said('trace', 'without'), said('trace', 'with')],
    breaks: [
      asr('trace', 'without', transcription()),
      asr('trace', 'with', generalError(400), { status: 400 }),
    ],
  },
  {
    rule: 'audio-is-repeatable',
    keeps: [said('repeat', 'once'), said('repeat', 'twice')],
    breaks: [said('repeat', 'once'), said('repeat', 'twice', 0.4)],
    options: { deterministic: true },
  },
  {
    rule: 'answers-repeat',
    keeps: [asr('repeat', 'once', transcription()), asr('repeat', 'twice', transcription())],
    breaks: [
      asr('repeat', 'once', transcription()),
      asr('repeat', 'twice', transcription({ text: undefined })),
    ],
  },
  {
    rule: 'pages-repeat-nothing',
    keeps: [listed(1, ['a', 'b'], { total: 3, has_more: true }), listed(2, ['c'], { total: 3 })],
    breaks: [listed(1, ['a', 'b'], { total: 3, has_more: true }), listed(2, ['b'], { total: 3 })],
  },
  {
    rule: 'pages-leave-nothing-out',
    keeps: [listed(1, ['a', 'b'], { total: 3, has_more: true }), listed(2, ['c'], { total: 3 })],
    breaks: [listed(1, ['a', 'b'], { total: 4, has_more: true }), listed(2, ['c'], { total: 4 })],
  },
  {
    rule: 'pages-end',
    keeps: [listed(1, ['a', 'b'], { total: 3, has_more: true }), listed(2, ['c'], { total: 3 })],
    breaks: [listed(1, ['a', 'b'], { total: 3 }), listed(2, ['c'], { total: 3 })],
  },
  {
    rule: 'filter-order-changes-nothing',
    keeps: [filtered(['warm', 'low'], 1), filtered(['low', 'warm'], 1)],
    breaks: [filtered(['warm', 'low'], 1), filtered(['low', 'warm'], 2)],
  },
  {
    rule: 'created-model-is-kept',
    keeps: [create, read, list(['v1'])],
    breaks: [create, step('read', 'getModel', { status: 404, body: generalError(404) })],
  },
  {
    rule: 'created-model-is-kept',
    about: 'another title',
    keeps: [create, read],
    breaks: [create, step('read', 'getModel', { body: voiceModel({ title: 'Other' }) })],
    severity: 'warning',
  },
  {
    rule: 'created-model-is-kept',
    about: 'not in the list',
    keeps: [create, read, list(['v1'])],
    breaks: [create, read, list(['v2'])],
    severity: 'warning',
  },
  { rule: 'created-model-speaks', keeps: [create, use(200)], breaks: [create, use(400)] },
  {
    rule: 'update-is-kept',
    keeps: [
      create,
      update({ title: 'Quay' }),
      update({ tags: ['low'] }, 'another'),
      readUpdated({ title: 'Quay', tags: ['low'] }),
    ],
    breaks: [create, update({ title: 'Quay' }), readUpdated({})],
  },
  {
    rule: 'update-is-kept',
    about: 'a field that was not sent',
    keeps: [create, update({ title: 'Quay' }), readUpdated({ title: 'Quay' })],
    breaks: [create, update({ title: 'Quay' }), readUpdated({ title: 'Quay', description: '' })],
    severity: 'warning',
  },
  {
    rule: 'deleted-model-is-gone',
    keeps: [create, remove, step('read-deleted', 'getModel', { status: 404, body: generalError(404) })],
    breaks: [create, remove, step('read-deleted', 'getModel', { body: voiceModel() })],
  },
  {
    rule: 'update-is-kept',
    about: 'an updated_at that does not change',
    keeps: [
      moment('create', '2025-01-01T00:00:00.250Z'),
      update({ title: 'Quay' }),
      moment('read-updated', '2025-01-01T00:00:01.500Z'),
    ],
    breaks: [
      moment('create', '2025-01-01T00:00:00.250Z'),
      update({ title: 'Quay' }),
      moment('read-updated', '2025-01-01T00:00:00.250Z'),
    ],
    severity: 'warning',
  },
  {
    rule: 'trace-ids-are-not-shared',
    keeps: [traced('once', '1'), traced('twice', '2')],
    breaks: [traced('once', '1'), traced('twice', '1')],
  },
  {
    rule: 'speed-changes-the-length',
    keeps: [lasting(2, 'slow'), lasting(1, 'fast')],
    breaks: [lasting(1, 'slow'), lasting(1, 'fast')],
  },
  {
    rule: 'bitrate-changes-the-size',
    keeps: [coded('low-bitrate', opusAt24), coded('high-bitrate', opusAt64)],
    breaks: [coded('low-bitrate', opusAt24), coded('high-bitrate', opusAt24)],
  },
  {
    rule: 'volume-changes-the-loudness',
    keeps: [loud('slow', 0.5), loud('fast', 0.1)],
    breaks: [loud('slow', 0.5), loud('fast', 0.5)],
  },
  {
    rule: 'other-text-sounds-different',
    keeps: [saying('Go.', 0.3), saying('The tide comes in.', 1), saying('The tide came in.', 1)],
    breaks: [saying('Go.', 1), saying('The tide comes in.', 1)],
  },
  {
    rule: 'other-text-sounds-different',
    about: 'whatever else is asked, in any order',
    keeps: [asking('Go.', 0.3, 'format', 'prosody'), asking('The tide comes in.', 1, 'prosody', 'format')],
    breaks: [asking('Go.', 1, 'format', 'prosody'), asking('The tide comes in.', 1, 'prosody', 'format')],
  },
  {
    rule: 'other-recording-reads-different',
    keeps: [heard('The tide comes in.', 'The tide comes in.'), heard('Go.', 'Go.')],
    breaks: [heard('The tide comes in.', 'The tide comes in.'), heard('Go.', 'The tide comes in.')],
  },
  {
    rule: 'speech-lasts-the-same',
    keeps: [lasting(1), lasting(1.2)],
    breaks: [lasting(1), lasting(2)],
  },
  {
    rule: 'operation-answered',
    about: 'by a success, although others are refused for the moment',
    keeps: [
      exchange('getApiCredit', { body: generalError(503), status: 503, expectation: success }),
      exchange('getApiCredit', { body: credit(), expectation: success }),
    ],
    breaks: [
      exchange('getApiCredit', { body: generalError(500), status: 500, expectation: success }),
      exchange('getApiCredit', { body: generalError(404), status: 404, expectation: success }),
    ],
  },
];
