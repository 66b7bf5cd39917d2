import {
  asObject,
  type JsonObject,
  readBuilt,
  SpecDocument,
  type SpecOperation,
} from '@speech-api/spec/read';
import { mediaTypes, type OperationId, operationTable } from '@speech-api/types';

/** The 3.1 document of the specification. */
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

export interface DocumentedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType?: string;
  readonly body?: unknown;
}

export function exampleNames(operationId: OperationId, code: string): readonly string[] {
  const { content } = asObject(specOperation(operationId).responses.get(code));
  return Object.values(asObject(content)).flatMap((media) => Object.keys(asObject(asObject(media).examples)));
}

/** @throws Error when the document has no such status or no example of that name */
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
