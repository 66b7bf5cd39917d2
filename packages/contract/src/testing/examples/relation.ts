import { headerNames } from '@speech-api/types';
import type { Relation } from '../../exchange.ts';
import {
  credit,
  type Example,
  examplesWith,
  exchange,
  failed,
  generalError,
  page,
  speech,
  success,
  type Told,
  transcription,
  voiceModel,
} from '../exchanges.ts';
import { opusOf, pcmOf, wavOf } from '../sound.ts';

const member = (relation: Relation, role?: string) => ({
  groups: [{ id: 'g', relation, ...(role !== undefined && { role }) }],
});
const asr = (relation: Relation, name: string, body: object, details: Told = {}) =>
  exchange('createTranscription', { name, body, ...details, ...member(relation) });
/** A wav answer to a request, with this duration and loudness. */
const wavFor = (sent: object, details: Told, seconds = 1, loudness = 0.5) =>
  speech(
    { format: 'wav', sample_rate: 8000, ...sent },
    wavOf(pcmOf(seconds, 8000, loudness), 8000),
    'audio/wav',
    details,
  );
const spoken = (relation: Relation, name: string, loudness = 0.5) =>
  wavFor({}, { name, ...member(relation) }, 1, loudness);
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

const step = (role: string, operationId: Parameters<typeof exchange>[0], details: Told) =>
  exchange(operationId, { name: role, path: '/model/v1', ...details, ...member('voice', role) });
const sent = { type: 'tts', title: 'Harbour', train_mode: 'fast', visibility: 'private' };
const create = step('create', 'createModel', { path: '/model', sent, body: voiceModel() });
const read = step('read', 'getModel', { body: voiceModel() });
const list = (change: string, ids: readonly string[], title = 'Harbour') => {
  const items = ids.map((_id) => voiceModel({ _id, title }));
  return step(`list-${change}`, 'listModels', { path: '/model?self=true', body: page(ids, { items }) });
};
const update = (fields: object, name = 'update', status = 200) => ({
  ...step('update', 'updateModel', { sent: fields, body: '', status }),
  name,
});
const renamed = update({ title: 'Quay' });
const notFound = { status: 404, body: generalError(404) };
const form = asr('encodings', 'form', transcription());
const once = asr('repeat', 'once', transcription());
/** The first of two pages, with the total. */
const firstPage = (total: number) => listed(1, ['a', 'b'], { total, has_more: true });
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

const moment = (role: 'create' | 'read-updated', seconds: string) => {
  const updated_at = `2025-01-01T00:00:${seconds}Z`;
  if (role === 'read-updated') return readUpdated({ updated_at, title: 'Quay' });
  return step(role, 'createModel', { path: '/model', sent, body: voiceModel({ updated_at }) });
};
const traced = (name: string, digit: string) =>
  exchange('createTranscription', {
    name,
    body: transcription(),
    headers: { [headerNames.traceId]: digit.repeat(32) },
  });
const saying = (text: string, seconds: number) => wavFor({ text }, { name: text }, seconds);
/** Objects without a prototype, as a decoder produces them. */
const asking = (text: string, seconds: number, ...order: readonly ('format' | 'prosody')[]) => {
  const { request, ...rest } = saying(text, seconds);
  const values = { format: 'wav', prosody: Object.assign(Object.create(null), { speed: 1 }) };
  const settings = Object.fromEntries(order.map((name) => [name, values[name]]));
  return { ...rest, request: { ...request, decoded: { text, sample_rate: 8000, ...settings } } };
};
const transcribed = (recorded: string, text: string) =>
  exchange('createTranscription', {
    name: recorded,
    body: transcription({ text }),
    ...member('recordings', recorded),
  });
const lasting = (seconds: number, role?: string) =>
  wavFor({}, { name: `${seconds} seconds ${role ?? ''}`, ...member('speech', role) }, seconds);

const [opusAt24, opusAt64] = [await opusOf(1.5, 24_000), await opusOf(1.5, 64_000)];
const coded = (role: string, audio: Uint8Array) =>
  speech({ format: 'opus' }, audio, 'audio/ogg', { name: role, ...member('speech', role) });
const loud = (role: string, loudness: number) => {
  const sent = role === 'fast' ? { prosody: { volume: -10 } } : {};
  return wavFor(sent, { name: role, ...member('speech', role) }, 1, loudness);
};

const shows = examplesWith(() => []);

export const relationExamples: readonly Example[] = [
  shows(
    'encodings-agree',
    [form, asr('encodings', 'msgpack', transcription({ language_code: 'en' }))],
    [form, asr('encodings', 'msgpack', transcription({ text: 'Another.' }))],
  ),
  shows(
    'encodings-agree: where null and an empty list show no shape',
    [form, asr('encodings', 'msgpack', transcription({ segments: {} }))],
    [
      asr('encodings', 'form', transcription({ segments: [{ text: 'The' }], language: null })),
      asr('encodings', 'msgpack', transcription({ language: 'en' })),
    ],
  ),
  shows(
    'encodings-agree: the status',
    [spoken('encodings', 'json'), { ...asr('encodings', 'msgpack', generalError(422), { status: 422 }) }],
    [spoken('encodings', 'json'), spoken('encodings', 'msgpack')],
  ),
  shows(
    'trace-changes-nothing',
    [asr('trace', 'without', transcription()), asr('trace', 'with', generalError(400), { status: 400 })],
    [spoken('trace', 'without'), spoken('trace', 'with')],
  ),
  shows(
    'audio-is-repeatable',
    [spoken('repeat', 'once'), spoken('repeat', 'twice', 0.4)],
    [spoken('repeat', 'once'), spoken('repeat', 'twice')],
    { options: { deterministic: true } },
  ),
  shows(
    'answers-repeat',
    [once, asr('repeat', 'twice', transcription({ text: undefined }))],
    [once, asr('repeat', 'twice', transcription())],
  ),
  shows(
    'pages-repeat-nothing',
    [firstPage(3), listed(2, ['b'], { total: 3 })],
    [firstPage(3), listed(2, ['c'], { total: 3 })],
  ),
  shows(
    'pages-leave-nothing-out',
    [firstPage(4), listed(2, ['c'], { total: 4 })],
    [firstPage(3), listed(2, ['c'], { total: 3 })],
  ),
  shows(
    'filter-order-changes-nothing',
    [filtered(['warm', 'low'], 1), filtered(['low', 'warm'], 2)],
    [filtered(['warm', 'low'], 1), filtered(['low', 'warm'], 1)],
  ),
  shows('created-model-is-kept', [create, step('read', 'getModel', notFound)], [create, read]),
  shows(
    'created-model-is-kept: another title',
    [create, step('read', 'getModel', { body: voiceModel({ title: 'Other' }) })],
    [create, read],
    { severity: 'warning' },
  ),
  shows(
    'list-follows-changes: a new voice model is in neither of two lists',
    [create, list('created', []), list('created', ['v2'])],
    [create, list('created', ['v1', 'v2']), list('created', ['v1'])],
  ),
  shows(
    'list-follows-changes: the first list is behind',
    [create, list('created', []), list('created', ['v1'])],
    [create, list('created', ['v1'])],
    { severity: 'warning' },
  ),
  shows(
    'list-follows-changes: the old title',
    [create, renamed, list('updated', ['v1']), list('updated', ['v1'])],
    [create, renamed, list('updated', ['v1'], 'Quay'), list('updated', ['v2', 'v1'], 'Quay')],
  ),
  shows(
    'list-follows-changes: a deleted voice model',
    [create, remove, list('deleted', ['v1']), list('deleted', ['v1'])],
    [create, remove, list('deleted', ['v2']), list('deleted', [])],
  ),
  shows('created-model-speaks', [create, use(400)], [create, use(200)]),
  shows(
    'update-is-kept',
    [create, renamed, readUpdated({})],
    [
      create,
      renamed,
      update({ tags: ['low'] }, 'another'),
      update({ title: 'Lost' }, 'without an answer', 0),
      readUpdated({ title: 'Quay', tags: ['low'] }),
    ],
  ),
  shows(
    'update-is-kept: an update without an answer may have been made',
    [create, renamed, update({ tags: ['low'] }, 'without an answer', 0), readUpdated({ tags: ['low'] })],
    [
      create,
      renamed,
      update({ title: 'Lost' }, 'without an answer', 0),
      update({ tags: ['low'] }, 'with a fault', 503),
      readUpdated({ title: 'Lost', tags: ['low'] }),
    ],
  ),
  shows(
    'update-is-kept: a field that was not sent',
    [create, renamed, readUpdated({ title: 'Quay', description: '' })],
    [create, renamed, readUpdated({ title: 'Quay' })],
    { severity: 'warning' },
  ),
  shows(
    'deleted-model-is-gone',
    [create, remove, step('read-deleted', 'getModel', { body: voiceModel() })],
    [create, remove, step('read-deleted', 'getModel', notFound)],
  ),
  shows(
    'update-is-kept: an updated_at that does not change',
    [moment('create', '00.250'), renamed, moment('read-updated', '00.250')],
    [moment('create', '00.250'), renamed, moment('read-updated', '01.500')],
    { severity: 'warning' },
  ),
  shows(
    'trace-ids-are-not-shared',
    [traced('once', '1'), traced('twice', '1')],
    [traced('once', '1'), traced('twice', '2')],
  ),
  shows(
    'speed-changes-the-length',
    [lasting(1, 'slow'), lasting(1, 'fast')],
    [lasting(2, 'slow'), lasting(1, 'fast')],
    { severity: 'error' },
  ),
  shows(
    'bitrate-changes-the-size',
    [coded('low-bitrate', opusAt24), coded('high-bitrate', opusAt24)],
    [coded('low-bitrate', opusAt24), coded('high-bitrate', opusAt64)],
  ),
  shows(
    'volume-changes-the-loudness',
    [loud('slow', 0.5), loud('fast', 0.5)],
    [loud('slow', 0.5), loud('fast', 0.1)],
  ),
  shows(
    'other-text-sounds-different',
    [saying('Go.', 1), saying('The tide comes in.', 1)],
    [saying('Go.', 0.3), saying('The tide comes in.', 1), saying('The tide came in.', 1)],
  ),
  shows(
    'other-text-sounds-different: whatever else is asked, in any order',
    [asking('Go.', 1, 'format', 'prosody'), asking('The tide comes in.', 1, 'prosody', 'format')],
    [asking('Go.', 0.3, 'format', 'prosody'), asking('The tide comes in.', 1, 'prosody', 'format')],
  ),
  shows(
    'speech-is-transcribed',
    [transcribed('The tide comes in.', 'The tide comes in.'), transcribed('Go.', 'The tide comes in.')],
    [transcribed('The tide comes in.', 'the tide'), transcribed('Go.', 'Go.')],
  ),
  shows(
    'speech-is-transcribed: no word at all',
    transcribed('The tide comes in.', ''),
    transcribed('The tide comes in.', '<|speaker:0|>The tide comes in. [laughter]'),
  ),
  shows('speech-lasts-the-same', [lasting(1), lasting(2)], [lasting(1), lasting(1.2)]),
  shows(
    'operation-answered: by a success, although others are refused for the moment',
    [
      failed('getApiCredit', 405, {}, { expectation: success }),
      failed('getApiCredit', 404, {}, { expectation: success }),
    ],
    [
      failed('getApiCredit', 503, {}, { expectation: success }),
      exchange('getApiCredit', { body: credit(), expectation: success }),
    ],
  ),
];
