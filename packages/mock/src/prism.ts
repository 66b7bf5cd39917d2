import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { mediaTypes, type OperationId } from '@speech-api/types';
import type { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http';
import type negotiatorModule from '@stoplight/prism-http/dist/mocker/negotiator/NegotiatorHelpers.js';

/** An operation as Prism reads it from the document. */
export type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

let loaded: ReadonlyMap<OperationId, PrismOperation> | undefined;

/** The operations of the spec's 3.1 document. Prism read them when this package was built; they are loaded once a process. */
export function prismOperations(): ReadonlyMap<OperationId, PrismOperation> {
  if (loaded === undefined) {
    const text = readFileSync(new URL('../dist/operations.json', import.meta.url), 'utf8');
    const operations = JSON.parse(text) as PrismOperation[];
    loaded = new Map(operations.map((operation) => [operation.iid as OperationId, operation]));
  }
  return loaded;
}

/** The operation of this id. */
export function prismOperation(id: OperationId): PrismOperation {
  const operation = prismOperations().get(id);
  if (operation === undefined) throw new Error(`Prism has not read the operation ${id}.`);
  return operation;
}

type Logger = Parameters<typeof createInstance>[1]['logger'];

const nothing = (): void => {};

/** Prism writes its reasons to a logger; the mock has its own log. */
export const silentLogger = {
  level: 'silent',
  fatal: nothing,
  error: nothing,
  warn: nothing,
  info: nothing,
  debug: nothing,
  trace: nothing,
  silent: nothing,
  success: nothing,
  child: () => silentLogger,
} as unknown as Logger;

// Prism's own way to an answer, without its generator, which takes as long to load as all the rest. By `require`: what the
// default of a CommonJS module is differs between Node and the runners of tests.
const { default: negotiator }: typeof negotiatorModule = createRequire(import.meta.url)(
  '@stoplight/prism-http/dist/mocker/negotiator/NegotiatorHelpers.js',
);

/** The requested answer; without preferences, the first example of the success. */
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
/** Many times the number of answers in the document; callers choose the preferences. */
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

/**
 * An answer that Prism makes up from the schema, the same for the same seed. Its generator is large, so it is
 * loaded on first use.
 *
 * @param answer the documented answer that it replaces
 * @returns the documented answer itself where it has no body
 */
export async function madeUp(
  operationId: OperationId,
  answer: DocumentedAnswer,
  seed = 'speech-mock',
): Promise<DocumentedAnswer> {
  if (answer.body === undefined) return answer;
  const { createInstance } = await import('@stoplight/prism-http');
  const resource = prismOperation(operationId);
  const input: Parameters<ReturnType<typeof createInstance>['request']>[0] = {
    method: resource.method as 'get',
    url: { path: resource.path.replaceAll(/\{[^}]+\}/g, 'self'), query: {} },
    headers: {},
  };
  const config = {
    mock: { dynamic: true, code: answer.status, mediaTypes: [answer.mediaType ?? ''], seed },
    validateRequest: false,
    validateResponse: false,
    checkSecurity: false,
    errors: false,
    isProxy: false,
    upstreamProxy: undefined,
  } as unknown as Parameters<typeof createInstance>[0];
  const instance = createInstance(config, { logger: silentLogger });
  const outcome = await instance.request(input, [...prismOperations().values()])();
  if (outcome._tag === 'Left') throw outcome.left;
  return { ...answer, body: outcome.right.output.body };
}
