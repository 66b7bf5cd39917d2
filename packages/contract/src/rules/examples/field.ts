import {
  credit,
  type Example,
  event,
  exchange,
  generalError,
  page,
  stream,
  transcription,
  voiceModel,
  wholePackage,
} from '../../testing/exchanges.ts';
import { pcmOf } from '../../testing/sound.ts';

const model = (changes: object = {}) =>
  exchange('getModel', { path: '/model/v1', body: voiceModel(changes) });
const audio = pcmOf(1, 8000);

export const fieldExamples: readonly Example[] = [
  {
    rule: 'body-decodes',
    keeps: [model()],
    breaks: [exchange('getModel', { path: '/model/v1', body: '{"_id":' })],
  },
  {
    rule: 'body-decodes',
    about: 'bytes that are not UTF-8, and a name that occurs twice',
    keeps: [model()],
    breaks: [
      exchange('getModel', {
        path: '/model/v1',
        body: JSON.stringify(voiceModel()).replace('{', '{"_id":"v0",'),
      }),
    ],
  },
  { rule: 'field-present', keeps: [model()], breaks: [model({ title: undefined })] },
  {
    rule: 'field-present',
    about: 'in an item of a list, where the specification marks the field as required by itself',
    severity: 'warning',
    keeps: [exchange('listModels', { body: page(['v1']) })],
    breaks: [
      exchange('listModels', {
        body: { ...page([]), total: 1, items: [{ ...voiceModel(), author: { _id: 'u1' } }] },
      }),
    ],
  },
  {
    rule: 'field-present',
    about: 'in the alignment of an event',
    severity: 'warning',
    keeps: [stream({ format: 'pcm', sample_rate: 8000 }, [event(audio)])],
    breaks: [stream({ format: 'pcm', sample_rate: 8000 }, [event(audio, { alignment: { segments: [] } })])],
  },
  {
    rule: 'field-type',
    keeps: [model({ source: null, quality: null, dmca_taken_down: null })],
    breaks: [model({ like_count: '3' })],
  },
  {
    rule: 'field-type',
    about: 'null where none is allowed',
    keeps: [exchange('getPackage', { body: wholePackage({ cancel_at: null, extra_balance: null }) })],
    breaks: [exchange('createTranscription', { body: transcription({ segments: null }) })],
  },
  { rule: 'listed-values', keeps: [model({ state: 'failed' })], breaks: [model({ state: 'ready' })] },
  {
    rule: 'date-time-format',
    keeps: [exchange('getApiCredit', { body: credit({ updated_at: '2026-03-01T10:00:00.5+02:00' }) })],
    breaks: [exchange('getApiCredit', { body: credit({ updated_at: '2026-03-01' }) })],
  },
  { rule: 'field-known', keeps: [model()], breaks: [model({ mood: 'calm' })] },
  {
    rule: 'field-known',
    about: 'in an error',
    keeps: [exchange('getModel', { status: 404, body: generalError(404) })],
    breaks: [exchange('getModel', { status: 404, body: generalError(404, { hint: 'look again' }) })],
  },
];
