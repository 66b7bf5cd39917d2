import {
  credit,
  type Example,
  event,
  examplesWith,
  exchange,
  failed,
  page,
  stream,
  transcription,
  voiceModel,
  wholePackage,
} from '../exchanges.ts';
import { pcmOf } from '../sound.ts';

const model = (changes: object = {}) =>
  exchange('getModel', { path: '/model/v1', body: voiceModel(changes) });
const audio = pcmOf(1, 8000);

const whole = JSON.stringify(voiceModel());
const updated = (updated_at: string) => exchange('getApiCredit', { body: credit({ updated_at }) });

const shows = examplesWith(() => [model()]);

export const fieldExamples: readonly Example[] = [
  shows('body-decodes', exchange('getModel', { path: '/model/v1', body: '{"_id":' })),
  shows(
    'body-decodes: a byte order mark, and bytes that are not UTF-8',
    [`\ufeff${whole}`, Buffer.from(whole.replace('Harbour', 'H\xe4fen'), 'latin1')].map((body) =>
      exchange('getModel', { path: '/model/v1', body }),
    ),
  ),
  shows('field-present', model({ title: undefined })),
  shows(
    'field-present: in an item of a list',
    exchange('listModels', {
      body: { ...page([]), total: 1, items: [{ ...voiceModel(), author: { _id: 'u1' } }] },
    }),
    exchange('listModels', { body: page(['v1']) }),
  ),
  shows(
    'field-present: in the alignment of an event',
    stream({ format: 'pcm', sample_rate: 8000 }, [event(audio, { alignment: { segments: [] } })]),
    stream({ format: 'pcm', sample_rate: 8000 }, [event(audio)]),
  ),
  shows(
    'field-type',
    model({ like_count: '3' }),
    model({ source: null, quality: null, dmca_taken_down: null }),
  ),
  shows(
    'field-type: null where none is allowed',
    exchange('createTranscription', { body: transcription({ segments: null }) }),
    exchange('getPackage', { body: wholePackage({ cancel_at: null, extra_balance: null }) }),
  ),
  shows('listed-values', model({ state: 'ready' }), model({ state: 'failed' })),
  shows(
    'date-time-format',
    ['', 'T10:00:00+09', 'T10:00:00-2223', 'T10:00:00'].map((time) => updated(`2026-03-01${time}`)),
    [updated('2026-03-01T10:00:00.5+02:00'), updated('2026-03-01t10:00:00z')],
  ),
  shows(
    'date-time-format: a blank in place of the T',
    updated('2026-03-01 10:00:00Z'),
    updated('2026-03-01T10:00:00Z'),
    { severity: 'warning' },
  ),
  shows('field-known', model({ mood: 'calm' })),
  shows('field-known: in an error', failed('getModel', 404, { hint: 'look again' }), failed('getModel', 404)),
];
