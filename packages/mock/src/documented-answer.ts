import {
  asObject,
  type JsonObject,
  readBuilt,
  readBuiltText,
  SpecDocument,
  type SpecOperation,
} from '@speech-api/spec/read';
import { mediaTypes, type OperationId, operationTable } from '@speech-api/types';
import type { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http';

/** The spec's 3.1 document, which Prism reads too. */
export const specification = new SpecDocument(readBuilt('openapi-3.1.json'));
const operations = new Map(specification.operations().map((operation) => [operation.id, operation]));

export function specOperation(id: OperationId): SpecOperation {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`The spec has no operation ${id}.`);
  return operation;
}

/** The requested answer; without preferences, the first example of the success. */
export interface AnswerWish {
  readonly code?: string;
  readonly example?: string;
  readonly mediaType?: string;
}

/** An answer from the document. */
export interface DocumentedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the answer has no body. */
  readonly mediaType?: string;
  readonly body?: unknown;
}

/** The names of the examples of an answer, over all of its media types. */
export function exampleNames(operationId: OperationId, code: string): readonly string[] {
  const { content } = asObject(specOperation(operationId).responses.get(code));
  return Object.values(asObject(content)).flatMap((media) => Object.keys(asObject(asObject(media).examples)));
}

/**
 * The answer that the document has for an operation.
 *
 * @throws Error when the document has no such status or no example of that name
 */
export function documentedAnswer(
  operationId: OperationId,
  { code = String(operationTable[operationId].successStatus), example, mediaType }: AnswerWish = {},
): DocumentedAnswer {
  const { responses } = specOperation(operationId);
  const response = responses.get(code);
  if (response === undefined) {
    const statuses = [...responses.keys()].join(', ');
    throw new Error(`${operationId} has no documented answer ${code}; it has ${statuses}.`);
  }
  const names = exampleNames(operationId, code);
  if (example !== undefined && !names.includes(example)) {
    throw new Error(`${operationId} has no example ${example}; it has ${names.join(', ') || 'none'}.`);
  }
  const { examples } = asObject(asObject(response.content)[mediaType ?? mediaTypes.json]);
  const chosen = asObject(examples)[example ?? Object.keys(asObject(examples))[0] ?? ''];
  const body = specification.resolve(chosen).value;
  return {
    status: Number(code),
    headers: headersOf(response),
    ...(body === undefined ? {} : { mediaType: mediaType ?? mediaTypes.json, body }),
  };
}

/** The headers that have an example in their schema. */
function headersOf(response: JsonObject): Record<string, string> {
  const examples = Object.entries(asObject(response.headers)).map(([name, header]) => {
    const schema = specification.resolve(specification.resolve(header).schema);
    return [name, [schema.examples ?? []].flat()[0]] as const;
  });
  const defined = examples.filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined.map(([name, value]) => [name, String(value)]));
}

type Prism = Parameters<typeof createInstance>;

const nothing = (): void => {};
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent', 'success'];

/** Prism writes its reasons to a logger; the mock has its own log. */
const silentLogger = {
  ...Object.fromEntries(levels.map((level) => [level, nothing])),
  level: 'silent',
  child: () => silentLogger,
} as unknown as Prism[1]['logger'];

/**
 * An answer that Prism makes up from the schema, the same for the same seed. It takes a second to load, so it is
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
  const { default: prism } = await import('@stoplight/prism-http');
  const { path, method } = specOperation(operationId);
  const url = { path: path.replaceAll(/\{[^}]+\}/g, 'self'), query: {} };
  const config = {
    mock: { dynamic: true, code: answer.status, mediaTypes: [answer.mediaType ?? ''], seed },
    validateRequest: false,
    validateResponse: false,
    checkSecurity: false,
    errors: false,
    isProxy: false,
    upstreamProxy: undefined,
  } as unknown as Prism[0];
  const instance = prism.createInstance(config, { logger: silentLogger });
  const outcome = await instance.request({ method: method as 'get', url, headers: {} }, await ofPrism())();
  if (outcome._tag === 'Left') throw outcome.left;
  return { ...answer, body: outcome.right.output.body };
}

let read: ReturnType<typeof getHttpOperationsFromSpec> | undefined;

/** The operations as Prism reads them. */
export async function ofPrism(): ReturnType<typeof getHttpOperationsFromSpec> {
  const { default: prism } = await import('@stoplight/prism-http');
  read ??= prism.getHttpOperationsFromSpec(JSON.parse(readBuiltText('openapi-3.1.json')));
  return read;
}
