import type { OperationId } from '@speech-api/types';
import { withEvents } from '../change/events.ts';
import { withJson } from '../change/json.ts';
import type { Mutant } from '../mutant.ts';
import { operations, schemaOf } from '../specification.ts';
import { fieldBreaks } from './broken-fields.ts';
import { onSuccess } from './interferences.ts';

/** Each field of each successful answer in JSON, broken in each way that its schema rules out. */
export function answerFields(): Mutant[] {
  return operations.flatMap(({ operationId, answers, success }) => {
    const schema = answers[String(success)];
    if (schema === undefined) return [];
    return fieldBreaks(schema).map(({ name, kind, rules, change }) => ({
      id: `${operationId}: ${name}`,
      kind,
      operation: operationId,
      topic: 'success',
      rules,
      interference: { answer: onSuccess((answer) => withJson(answer, change)) },
    }));
  });
}

const stream: OperationId = 'streamSpeechWithTimestamps';

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
