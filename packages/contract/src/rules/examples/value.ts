import {
  credit,
  type Example,
  exchange,
  page,
  transcription,
  voiceModel,
  wholePackage,
} from '../../testing/exchanges.ts';
import { pcmOf, wavOf } from '../../testing/sound.ts';

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

export const valueExamples: readonly Example[] = [
  {
    rule: 'transcription-duration-unit',
    keeps: [asr(transcription())],
    breaks: [asr(transcription({ duration: 2000 }))],
  },
  {
    rule: 'transcription-duration-unit',
    about: 'of segments',
    keeps: [segments([0, 0.5], [0.5, 2])],
    breaks: [segments([0, 500], [500, 2000])],
  },
  {
    rule: 'transcription-duration',
    keeps: [asr(transcription())],
    breaks: [asr(transcription({ duration: 3 }))],
  },
  {
    rule: 'transcription-segments-in-order',
    keeps: [segments([0, 0.5], [0.5, 2])],
    breaks: [segments([0.5, 2], [0, 0.5])],
  },
  {
    rule: 'transcription-segments-in-order',
    about: 'an end before its start',
    keeps: [segments([0, 1])],
    breaks: [segments([1, 0.5])],
  },
  { rule: 'transcription-segments-inside', keeps: [segments([0, 2.04])], breaks: [segments([0, 2.2])] },
  {
    rule: 'timed-segments-when-asked',
    keeps: [asr(transcription({ segments: timed }), { ignore_timestamps: false })],
    breaks: [asr(transcription(), { ignore_timestamps: false })],
  },
  {
    rule: 'no-segments-unless-asked',
    keeps: [asr(transcription()), asr(transcription(), { ignore_timestamps: 'true' })],
    breaks: [asr(transcription({ segments: timed }))],
  },
  {
    rule: 'model-is-the-one-asked-for',
    keeps: [exchange('getModel', { path: '/model/v1', body: voiceModel() })],
    breaks: [exchange('getModel', { path: '/model/v1', body: voiceModel({ _id: 'v2' }) })],
  },
  {
    rule: 'model-counts',
    keeps: [list('/model', items({}))],
    breaks: [list('/model', items({ like_count: -1 }))],
  },
  {
    rule: 'model-counts',
    about: 'the length of a recording',
    keeps: [list('/model', items({ quality: { audios: [{ duration_ms: 5 }] } }))],
    breaks: [list('/model', items({ quality: { audios: [{ duration_ms: -5 }] } }))],
  },
  {
    rule: 'model-times',
    keeps: [list('/model', items({}))],
    breaks: [list('/model', items({ updated_at: '2025-01-01T00:00:00Z' }))],
  },
  { rule: 'created-as-asked', keeps: [created({})], breaks: [created({ title: 'Another' })] },
  {
    rule: 'created-as-asked',
    about: 'more people see it than asked',
    keeps: [created({})],
    breaks: [created({ visibility: 'public' })],
  },
  { rule: 'fast-model-is-trained', keeps: [created({})], breaks: [created({ state: 'training' })] },
  {
    rule: 'list-page-size',
    keeps: [list('/model?page_size=2', page(['a', 'b']))],
    breaks: [list('/model?page_size=1', page(['a', 'b']))],
  },
  {
    rule: 'list-page-size',
    about: 'fewer, while others follow',
    keeps: [list('/model?page_size=2', page(['a', 'b'], { total: 3, has_more: true }))],
    breaks: [list('/model?page_size=2', page(['a'], { total: 3, has_more: true }))],
  },
  {
    rule: 'list-counts',
    keeps: [
      list('/model?page_size=2', page(['a', 'b'], { total: 3, has_more: true })),
      list('/model?page_size=2&page_number=9', page([], { total: 3 })),
    ],
    breaks: [list('/model?page_size=2', page(['a', 'b'], { total: 3 }))],
  },
  {
    rule: 'list-counts',
    about: 'more than all',
    keeps: [list('/model', page(['a']))],
    breaks: [list('/model', page(['a', 'b'], { total: 1 }))],
  },
  {
    rule: 'list-is-distinct',
    keeps: [list('/model', page(['a', 'b']))],
    breaks: [list('/model', page(['a', 'a']))],
  },
  {
    rule: 'list-filters',
    keeps: [list('/model?author_id=u1&tag=calm&language=en&title=harb', items({}))],
    breaks: [list('/model?author_id=u2', items({}))],
  },
  {
    rule: 'list-filters',
    about: 'a tag',
    keeps: [list('/model?tag=calm', items({}))],
    breaks: [list('/model?tag=loud', items({}))],
  },
  {
    rule: 'list-filters',
    about: 'a language',
    keeps: [list('/model?language=en', items({}))],
    breaks: [list('/model?language=zh', items({}))],
  },
  {
    rule: 'list-filters',
    about: 'a title',
    keeps: [list('/model?title=Harbour', items({}))],
    breaks: [list('/model?title=Storm', items({}))],
  },
  {
    rule: 'list-filters',
    about: "the caller's own, whatever author is named",
    keeps: [list('/model?self=true&author_id=u9', items({}, {}))],
    breaks: [list('/model?self=true', items({}, { author: { _id: 'u2', nickname: 'x', avatar: '' } }))],
  },
  {
    rule: 'list-order',
    keeps: [
      list('/model?sort_by=task_count', items({ task_count: 9 }, { task_count: 5 }, { task_count: 5 })),
    ],
    breaks: [
      list('/model?sort_by=task_count', items({ task_count: 5 }, { task_count: 9 }, { task_count: 1 })),
    ],
  },
  {
    rule: 'wallet-is-the-one-asked-for',
    keeps: [exchange('getApiCredit', { path: '/wallet/u1/api-credit', body: credit() })],
    breaks: [exchange('getPackage', { path: '/wallet/u2/package', body: wholePackage() })],
  },
  {
    rule: 'credit-is-decimal',
    keeps: [exchange('getApiCredit', { body: credit({ credit: '0.000000001' }) })],
    breaks: [exchange('getApiCredit', { body: credit({ credit: '1e3' }) })],
  },
  {
    rule: 'wallet-times',
    keeps: [exchange('getPackage', { body: wholePackage() })],
    breaks: [exchange('getPackage', { body: wholePackage({ finished_at: '2025-01-01T00:00:00Z' }) })],
  },
  {
    rule: 'list-ends',
    keeps: [
      exchange('listModels', { path: '/model?page_size=2&page_number=9', body: page([], { total: 3 }) }),
    ],
    breaks: [
      exchange('listModels', { path: '/model?page_size=2&page_number=9', body: page(['a'], { total: 3 }) }),
    ],
  },
];
