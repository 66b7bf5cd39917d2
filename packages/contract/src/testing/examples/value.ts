import {
  credit,
  type Example,
  examplesWith,
  exchange,
  page,
  transcription,
  voiceModel,
  wholePackage,
} from '../exchanges.ts';
import { pcmOf, wavOf } from '../sound.ts';

const clip = wavOf(pcmOf(2, 8000), 8000);

function asr(body: object, sent: object = {}) {
  const base = exchange('createTranscription', { body });
  return { ...base, request: { ...base.request, decoded: { audio: clip, ...sent } } };
}

const timed = [
  { text: 'The', start: 0, end: 0.5 },
  { text: 'tide', start: 0.5, end: 1.9 },
];
const segments = (...times: readonly (readonly [number, number])[]) =>
  asr(transcription({ segments: times.map(([start, end]) => ({ text: 'x', start, end })) }), {
    ignore_timestamps: false,
  });
const list = (path: string, body: object) => exchange('listModels', { path, body });
const items = (...changes: readonly object[]) => ({
  total: changes.length,
  has_more: false,
  items: changes.map((each, index) => voiceModel({ _id: `v${index}`, ...each })),
});
const created = (changes: object) =>
  exchange('createModel', {
    sent: { type: 'tts', title: 'Harbour', train_mode: 'fast', visibility: 'private', tags: ['calm'] },
    body: voiceModel({ train_mode: 'fast', ...changes }),
  });

const shows = examplesWith(() => [list('/model', items({}))]);

export const valueExamples: readonly Example[] = [
  shows('transcription-duration-unit', asr(transcription({ duration: 2000 })), asr(transcription())),
  shows(
    'transcription-duration-unit: of segments',
    segments([0, 500], [500, 2000]),
    segments([0, 0.5], [0.5, 2]),
  ),
  shows('transcription-duration', asr(transcription({ duration: 2.5 })), asr(transcription())),
  shows(
    'transcription-duration: of something else',
    asr(transcription({ duration: 9 })),
    asr(transcription()),
    {
      severity: 'error',
    },
  ),
  shows('transcription-segments-in-order', segments([0.5, 2], [0, 0.5]), segments([0, 0.5], [0.5, 2])),
  shows('transcription-segments-in-order: an end before its start', segments([1, 0.5]), segments([0, 1])),
  shows('transcription-segments-inside', segments([0, 2.2]), segments([0, 2.04])),
  shows('transcription-times-are-told', segments([0, 0], [0, 0]), segments([0, 0], [0, 1])),
  shows(
    'transcription-segments-have-the-text',
    asr(transcription({ segments: timed })),
    asr(transcription({ text: '<|speaker:0|>The tide. [laughter]', segments: timed })),
  ),
  shows(
    'timed-segments-when-asked',
    asr(transcription(), { ignore_timestamps: false }),
    asr(transcription({ segments: timed }), { ignore_timestamps: false }),
  ),
  shows('no-segments-unless-asked', asr(transcription({ segments: timed })), [
    asr(transcription()),
    asr(transcription(), { ignore_timestamps: 'true' }),
  ]),
  shows(
    'model-is-the-one-asked-for',
    exchange('getModel', { path: '/model/v1', body: voiceModel({ _id: 'v2' }) }),
    exchange('getModel', { path: '/model/v1', body: voiceModel() }),
  ),
  shows('model-counts', list('/model', items({ like_count: -1 }))),
  shows(
    'model-counts: the length of a recording',
    list('/model', items({ quality: { audios: [{ duration_ms: -5 }] } })),
    list('/model', items({ quality: { audios: [{ duration_ms: 5 }] } })),
  ),
  shows('model-times', list('/model', items({ updated_at: '2025-01-01T00:00:00Z' }))),
  shows('created-as-asked', created({ title: 'Another' }), created({})),
  shows('created-as-asked: more people see it than asked', created({ visibility: 'public' }), created({})),
  shows('fast-model-is-trained', created({ state: 'training' }), created({})),
  shows(
    'list-page-size',
    list('/model?page_size=1', page(['a', 'b'])),
    list('/model?page_size=2', page(['a', 'b'])),
  ),
  shows(
    'list-page-size: fewer, while others follow',
    list('/model?page_size=2', page(['a'], { total: 3, has_more: true })),
    list('/model?page_size=2', page(['a', 'b'], { total: 3, has_more: true })),
  ),
  shows('list-counts: below zero', list('/model', page([], { total: -1 })), list('/model', page([]))),
  shows('list-counts', list('/model?page_size=2', page(['a', 'b'], { total: 3 })), [
    list('/model?page_size=2', page(['a', 'b'], { total: 3, has_more: true })),
    list('/model?page_size=2&page_number=9', page([], { total: 3 })),
  ]),
  shows(
    'list-counts: more than all',
    list('/model', page(['a', 'b'], { total: 1 })),
    list('/model', page(['a'])),
  ),
  shows('list-is-distinct', list('/model', page(['a', 'a'])), list('/model', page(['a', 'b']))),
  shows(
    'list-filters',
    list('/model?author_id=u2', items({})),
    list('/model?author_id=u1&tag=calm&language=en&title=harb', items({})),
  ),
  shows('list-filters: a tag', list('/model?tag=loud', items({})), list('/model?tag=calm', items({}))),
  shows(
    'list-filters: a language',
    list('/model?language=zh', items({})),
    list('/model?language=en', items({})),
  ),
  shows(
    'list-filters: a title',
    list('/model?title=Storm', items({})),
    list('/model?title=Harbour', items({})),
  ),
  shows(
    "list-filters: the caller's own, whatever author is named",
    list('/model?self=true', items({}, { author: { _id: 'u2', nickname: 'x', avatar: '' } })),
    list('/model?self=true&author_id=u9', items({}, {})),
  ),
  shows(
    'list-order',
    list('/model?sort_by=task_count', items({ task_count: 5 }, { task_count: 9 }, { task_count: 1 })),
    list('/model?sort_by=task_count', items({ task_count: 9 }, { task_count: 5 }, { task_count: 5 })),
  ),
  shows(
    'wallet-is-the-one-asked-for',
    exchange('getPackage', { path: '/wallet/u2/package', body: wholePackage() }),
    exchange('getApiCredit', { path: '/wallet/u1/api-credit', body: credit() }),
  ),
  shows(
    'credit-is-decimal',
    exchange('getApiCredit', { body: credit({ credit: '1e3' }) }),
    exchange('getApiCredit', { body: credit({ credit: '0.000000001' }) }),
  ),
  shows(
    'wallet-times',
    exchange('getPackage', { body: wholePackage({ finished_at: '2025-01-01T00:00:00Z' }) }),
    exchange('getPackage', { body: wholePackage() }),
  ),
  shows(
    'list-ends',
    exchange('listModels', { path: '/model?page_size=2&page_number=9', body: page(['a'], { total: 3 }) }),
    exchange('listModels', { path: '/model?page_size=2&page_number=9', body: page([], { total: 3 }) }),
  ),
];
