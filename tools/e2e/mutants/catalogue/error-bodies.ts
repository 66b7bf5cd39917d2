import { withJson } from '../change/json.ts';
import type { Kind, Mutant } from '../mutant.ts';
import type { CarriedAnswer } from '../proxy/carried.ts';
import { operationOf, operations, resolved } from '../specification.ts';
import { fieldBreaks } from './broken-fields.ts';
import { jsonAnswer, onStatus, textAnswer } from './interferences.ts';
import { refusalsSeen, type SeenRefusal } from './refusals-seen.ts';

interface BodyBreak {
  readonly words: string;
  readonly kind: Kind;
  readonly rules: readonly string[];
  readonly change: (answer: CarriedAnswer) => CarriedAnswer | undefined;
}

/** The bodies of refusals: each field broken, and bodies of neither shape. */
export function errorBodies(): Mutant[] {
  return operations.flatMap(({ operationId }) =>
    // One refusal of each shape an operation; the others come from the same place in any server.
    oneOfEachShape(operationId).flatMap((refusal) =>
      bodyBreaks(operationId, refusal).map(({ words, kind, rules, change }) => ({
        id: `${operationId}: ${refusal.status} ${words}`,
        kind,
        operation: operationId,
        topic: refusal.topic,
        rules,
        interference: { answer: onStatus(refusal.status, change) },
      })),
    ),
  );
}

/** Where each field of an error is broken; the bodies of the others are broken as a whole. */
const inEveryField: readonly Mutant['operation'][] = ['createSpeech', 'listModels'];

function oneOfEachShape(operation: Mutant['operation']): SeenRefusal[] {
  return refusalsSeen(operation).filter(({ topic }) => topic === 'key' || topic === 'schema');
}

function bodyBreaks(operation: Mutant['operation'], { status, topic }: SeenRefusal): BodyBreak[] {
  const schema = operationOf(operation).answers[String(status)];
  if (schema === undefined) throw new Error(`${operation} has no body for ${status}`);
  const isList = resolved(schema).type === 'array';
  const shape = ['error-body-shape', 'field-present', 'field-type'];
  const fields = (inEveryField.includes(operation) ? fieldBreaks(schema) : [])
    // `reason` may be anything, and issues are broken by their fields.
    .filter(({ field }) => field !== 'reason')
    .map(({ name, field, change }): BodyBreak => {
      const rules = field.endsWith('[].in') || field === 'in' ? [...shape, 'issues-name-their-part'] : shape;
      return {
        words: `with ${name}`,
        kind: 'error body',
        rules,
        change: (answer) => withJson(answer, change),
      };
    });
  return [...fields, ...(isList ? listBreaks(topic) : generalBreaks(status)), ...anyBreaks(status)];
}

function generalBreaks(status: number): BodyBreak[] {
  return [
    {
      words: 'tells another status in its body',
      kind: 'error body',
      rules: ['error-body-status'],
      change: (answer) => withJson(answer, (body) => ({ ...(body as object), status: status + 1 })),
    },
    {
      words: 'is called {error} in place of {message}',
      kind: 'error body',
      rules: ['error-body-shape'],
      change: (answer) => jsonAnswer(answer, status, { error: 'unauthorized' }),
    },
  ];
}

function listBreaks(topic: SeenRefusal['topic']): BodyBreak[] {
  return [
    {
      words: 'lists nothing',
      kind: 'error body',
      rules: ['issues-are-listed'],
      change: (answer) => withJson(answer, () => []),
    },
    {
      words: 'has its list under a name',
      kind: 'error body',
      rules: ['error-body-shape'],
      change: (answer) => withJson(answer, (detail) => ({ detail })),
    },
    {
      words: 'is a general error',
      kind: 'error body',
      rules: ['refusal-shape'],
      change: (answer) => jsonAnswer(answer, answer.status, { status: answer.status, message: topic }),
    },
    {
      words: 'lists words',
      kind: 'error body',
      rules: ['error-body-shape', 'field-type'],
      change: (answer) => withJson(answer, () => ['temperature is too high']),
    },
  ];
}

function anyBreaks(status: number): BodyBreak[] {
  const page = '<html><body><h1>Not so</h1></body></html>';
  return [
    {
      words: 'is a page',
      kind: 'error body',
      rules: ['error-body-shape', 'error-media-type'],
      change: (answer) => textAnswer(answer, status, 'text/html', page),
    },
    {
      words: 'has no body',
      kind: 'error body',
      rules: ['error-body-shape'],
      change: (answer) => textAnswer(answer, status, 'application/json', ''),
    },
    {
      words: 'is cut JSON',
      kind: 'error body',
      rules: ['error-body-shape', 'body-decodes'],
      change: (answer) => textAnswer(answer, status, 'application/json', answer.body.toString().slice(0, -2)),
    },
    {
      words: 'is called text',
      kind: 'media type',
      rules: ['error-media-type', 'media-type-documented'],
      change: (answer) => textAnswer(answer, status, 'text/plain', answer.body.toString()),
    },
  ];
}
