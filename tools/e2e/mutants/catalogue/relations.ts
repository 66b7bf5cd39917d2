import { headerNames } from '@speech-api/types';
import { isObject, withField, withJson } from '../change/json.ts';
import { queryOf, withFields } from '../change/request.ts';
import type { Mutant } from '../mutant.ts';
import { jsonAnswer, onStatus, onSuccess, withHeader } from './interferences.ts';

/** What shows only when several answers are compared, or an answer with what was sent. */
export function relations(goodKey: string): Mutant[] {
  return [
    {
      id: 'createSpeech: the speed is ignored',
      kind: 'audio',
      operation: 'createSpeech',
      topic: ['speech-against-itself'],
      rules: ['speed-changes-the-length'],
      interference: { request: (request) => withFields(request, ({ prosody: _left, ...rest }) => rest) },
    },
    {
      id: 'createSpeech: at the default rate a third of the text is spoken',
      kind: 'audio',
      operation: 'createSpeech',
      topic: ['speech-against-itself'],
      rules: ['speech-lasts-the-same'],
      interference: {
        request: (request) =>
          withFields(request, (fields) =>
            fields.sample_rate === undefined && fields.format === 'wav'
              ? { ...fields, text: String(fields.text).slice(0, String(fields.text).length / 3) }
              : undefined,
          ),
      },
    },
    {
      id: 'createSpeech: the same audio for every text',
      kind: 'audio',
      operation: 'createSpeech',
      topic: ['speech-traceparent-invalid', 'speech-against-itself'],
      rules: ['other-text-sounds-different'],
      interference: {
        request: (request) =>
          withFields(request, (fields) => ({ ...fields, text: 'Whatever you say, this is what you hear.' })),
      },
    },
    {
      id: 'createTranscription: the same words for every recording',
      kind: 'transcription',
      operation: 'createTranscription',
      topic: ['transcription-of-mp3', 'transcription-of-wav'],
      rules: ['other-recording-reads-different'],
      interference: {
        answer: onSuccess((answer) =>
          withField(answer, 'text', () => 'Whatever you say, this is what I hear.'),
        ),
      },
    },
    {
      id: 'createTranscription: every call has the same trace id',
      kind: 'trace',
      operation: 'createTranscription',
      topic: ['transcription-timestamps'],
      rules: ['trace-ids-are-not-shared'],
      interference: {
        answer: (answer, request) =>
          request.headers.traceparent === undefined
            ? withHeader(answer, headerNames.traceId, 'a'.repeat(32))
            : undefined,
      },
    },
    {
      id: 'getApiCredit: a refusal says the key in base64',
      kind: 'error body',
      operation: 'getApiCredit',
      topic: ['wallet-foreign'],
      rules: ['key-is-not-shown'],
      interference: {
        answer: (answer) =>
          answer.status < 400
            ? undefined
            : jsonAnswer(answer, answer.status, {
                status: answer.status,
                message: `seen: ${Buffer.from(`Bearer ${goodKey}`).toString('base64')}`,
              }),
      },
    },
    {
      id: 'listModels: an issue names another field',
      kind: 'error body',
      operation: 'listModels',
      topic: ['list-page-too-small'],
      rules: ['issues-name-the-field'],
      interference: {
        answer: onStatus(422, (answer) =>
          withJson(answer, (issues) =>
            Array.isArray(issues)
              ? issues.map((issue) => ({ ...(isObject(issue) ? issue : {}), loc: ['title'] }))
              : issues,
          ),
        ),
      },
    },
    {
      id: 'listModels: a page beyond the end has more',
      kind: 'paging and filters',
      operation: 'listModels',
      topic: ['list-page-beyond-the-end'],
      rules: ['list-ends'],
      interference: {
        answer: onSuccess((answer, request) =>
          Number(queryOf(request).get('page_number')) > 1
            ? withField(answer, 'has_more', () => true)
            : undefined,
        ),
      },
    },
    {
      id: 'getModel: updated_at is always created_at',
      kind: 'life of a voice',
      operation: 'getModel',
      topic: ['voice-kept'],
      rules: ['update-is-kept'],
      interference: {
        answer: onSuccess((answer) =>
          withJson(answer, (model) => (isObject(model) ? { ...model, updated_at: model.created_at } : model)),
        ),
      },
    },
  ];
}
