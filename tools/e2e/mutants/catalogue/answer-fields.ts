import type { OperationId } from '@speech-api/types';
import { withEvents } from '../change/events.ts';
import { isObject, withJson } from '../change/json.ts';
import type { Mutant } from '../mutant.ts';
import { operations, schemaOf } from '../specification.ts';
import { type FieldBreak, fieldBreaks } from './broken-fields.ts';
import { type AnswerChange, onSuccess } from './interferences.ts';

const stream: OperationId = 'streamSpeechWithTimestamps';

/** Each field of each successful answer in JSON, broken in each way that its schema rules out. */
export function answerFields(): Mutant[] {
  return operations.flatMap(({ operationId, answers, success }) => {
    const schema = answers[String(success)];
    if (schema === undefined) return [];
    return fieldBreaks(schema)
      .filter((one) => !isTheSame(operationId, one))
      .map(({ name, kind, rules, change }) => ({
        id: `${operationId}: ${name}`,
        kind,
        operation: operationId,
        topic: 'success',
        rules,
        interference: { answer: onSuccess((answer) => withJson(answer, change)) },
      }));
  });
}

/** Each successful answer in JSON, and each event, with a field that nobody knows. */
export function additions(): Mutant[] {
  const withMore = (body: unknown): unknown => (isObject(body) ? { ...body, engine: 'b' } : body);
  const make = (operationId: OperationId, change: AnswerChange): Mutant => ({
    id: `${operationId}: a field that nobody knows`,
    kind: 'addition',
    operation: operationId,
    topic: 'success',
    rules: ['field-known'],
    interference: { answer: onSuccess(change) },
  });
  return [
    ...operations
      .filter(({ answers, success }) => answers[String(success)] !== undefined)
      .map(({ operationId }) => make(operationId, (answer) => withJson(answer, withMore))),
    make(stream, (answer) => withEvents(answer, (events) => events.map(withMore))),
  ];
}

/** A voice model is broken in every way where it is read; where it is made or listed, each field is dropped and of another type. */
function isTheSame(operation: OperationId, { kind, field }: FieldBreak): boolean {
  const isVoiceModel = operation === 'createModel' || field.startsWith('items');
  return isVoiceModel && kind !== 'field dropped' && kind !== 'field of another type';
}

/** Each field of the events of the timestamp stream, in the last event that has it. */
export function eventFields(): Mutant[] {
  return fieldBreaks(schemaOf('SpeechStreamEvent')).map(({ name, field, kind, rules, change }) => ({
    id: `${stream}: ${name}`,
    kind,
    operation: stream,
    topic: 'success',
    rules: field === 'audio_base64' ? [...rules, 'every-event-carries-audio'] : rules,
    interference: {
      answer: (answer) =>
        withEvents(answer, (events) => {
          const last = events.findLastIndex((event) => event.alignment !== null);
          return events.map((event, index) => (index === last ? change(event) : event));
        }),
    },
  }));
}
