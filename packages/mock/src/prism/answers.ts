import { createRequire } from 'node:module';
import { mediaTypes, type OperationId } from '@speech-api/types';
import type negotiatorModule from '@stoplight/prism-http/dist/mocker/negotiator/NegotiatorHelpers.js';
import { prismOperation } from './operations.ts';
import { silentLogger } from './silent-logger.ts';

// Prism's own way to an answer, without its generator, which takes as long to load as all the rest. By `require`: what the
// default of a CommonJS module is differs between Node and the runners of tests.
const { default: negotiator }: typeof negotiatorModule = createRequire(import.meta.url)(
  '@stoplight/prism-http/dist/mocker/negotiator/NegotiatorHelpers.js',
);

/** What is wished of an answer; without a wish the first example of the success. */
export interface AnswerWish {
  readonly code?: string;
  readonly example?: string;
  readonly mediaType?: string;
}

/** An answer of the document. */
export interface DocumentedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent when the answer has no body. */
  readonly mediaType?: string;
  readonly body?: unknown;
}

const known = new Map<string, DocumentedAnswer>();
/** As many answers as the document has, many times over; wishes come from callers. */
const mostKnown = 1_000;

/**
 * The answer that Prism chooses for an operation.
 *
 * @throws Error when the document has no such status or no example of that name
 */
export function documentedAnswer(operationId: OperationId, wish: AnswerWish = {}): DocumentedAnswer {
  const key = JSON.stringify([operationId, wish.code, wish.example, wish.mediaType]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const answer = negotiate(operationId, wish);
  if (known.size < mostKnown) known.set(key, answer);
  return answer;
}

/** Every status that the document has for an operation, in its order, with the names of its examples. */
export function documentedExamples(operationId: OperationId): ReadonlyMap<string, readonly string[]> {
  return new Map(
    prismOperation(operationId).responses.map(({ code, contents = [] }) => [
      code,
      contents.flatMap(({ examples = [] }) => examples.map(({ key }) => key)),
    ]),
  );
}

function negotiate(operationId: OperationId, { code, example, mediaType }: AnswerWish): DocumentedAnswer {
  const statuses = documentedExamples(operationId);
  if (code !== undefined && !statuses.has(code)) {
    throw new Error(
      `${operationId} has no documented answer ${code}; it has ${[...statuses.keys()].join(', ')}.`,
    );
  }
  const names = code === undefined ? [...statuses.values()].flat() : (statuses.get(code) ?? []);
  if (example !== undefined && !names.includes(example)) {
    throw new Error(`${operationId} has no example ${example}; it has ${names.join(', ') || 'none'}.`);
  }
  const options = {
    dynamic: false,
    mediaTypes: [mediaType ?? mediaTypes.json],
    ...(code === undefined ? {} : { code: Number(code) }),
    ...(example === undefined ? {} : { exampleKey: example }),
  };
  const outcome = negotiator.negotiateOptionsForValidRequest(
    prismOperation(operationId),
    options,
  )(silentLogger);
  if (outcome._tag === 'Left') throw outcome.left;
  const { code: status, mediaType: type, bodyExample, headers = [] } = outcome.right;
  const body = bodyExample && 'value' in bodyExample ? bodyExample.value : undefined;
  return {
    status: Number(status),
    headers: Object.fromEntries(headers.flatMap((header) => exampleOf(header))),
    ...(type === undefined || body === undefined ? {} : { mediaType: type, body }),
  };
}

type Header = NonNullable<ReturnType<typeof prismOperation>['responses'][number]['headers']>[number];

/** The example of a header, of the header itself or of its schema. */
function exampleOf({ name, examples = [], schema }: Header): [string, string][] {
  const [example] = examples;
  const ofSchema = [schema?.examples ?? []].flat().at(0);
  const value = example && 'value' in example ? example.value : ofSchema;
  return value === undefined ? [] : [[name, String(value)]];
}
