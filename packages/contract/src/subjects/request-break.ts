import type { Exchange, HttpExchange } from '../exchange.ts';
import { isObject, type JsonObject, openApi } from '../specification/document.ts';
import {
  compilerOf,
  type FieldViolation,
  intoDocument,
  violationsIn,
} from '../specification/field-violations.ts';
import { findOperation, type Operation } from '../specification/operations.ts';
import { decodeRequest, isJsonType, mediaTypeOf } from './answer.ts';

/**
 * Adds what is due where a recorded request breaks its schema: a refusal.
 *
 * Only what the interface states counts: unknown fields and explicit nulls are refused by some servers and not by others.
 * Of a request that keeps its schema nothing is expected, since its server may have reasons that no recording shows.
 */
export async function deriveExpectation(exchange: Exchange): Promise<Exchange> {
  if (exchange.kind === 'live' || exchange.expectation !== undefined) return exchange;
  const broken = breakOf(exchange, await decodeRequest(exchange.request), openSchema);
  if (broken === undefined) return exchange;
  const because = broken.message.replace('The body', 'its body').replace(/\.$/, '');
  const refusals = ['schema', 'malformed-body', 'rule'];
  return { ...exchange, expectation: { outcome: 'refused', refusals, because } };
}

/** Schema violation in a decoded body, judged by the schema as it is: unknown fields count as ours. */
export function schemaBreakOf(exchange: HttpExchange, body: unknown): FieldViolation | undefined {
  return breakOf(exchange, body, openSchema) ?? breakOf(exchange, body, closedSchema);
}

function breakOf(
  exchange: HttpExchange,
  body: unknown,
  compile: typeof openSchema,
): FieldViolation | undefined {
  const operation = findOperation(exchange.request.method, exchange.request.url);
  const schema = operation && requestSchema(operation, exchange);
  if (schema === undefined || body === undefined) return undefined;
  const validate = compile(schema);
  return validate(plain(body)) ? undefined : mostFrequent((validate.errors ?? []).flatMap(violationsIn));
}

/** Of JSON and MessagePack; in forms everything is a string, so that types say nothing. */
function requestSchema({ requestSchemas }: Operation, { request }: HttpExchange): JsonObject | undefined {
  const mediaType = mediaTypeOf(request.headers['content-type']) ?? '';
  const isDecoded = request.decoded !== undefined;
  if (!isDecoded && !isJsonType(mediaType) && !mediaType.endsWith('msgpack')) return undefined;
  return requestSchemas.get(mediaType) ?? (isDecoded ? requestSchemas.get('application/json') : undefined);
}

/** Bytes as strings, as the schema describes them, and without nulls: whether these are allowed is not stated. */
export function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return 'AAAA';
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (item === null ? [] : [[name, plain(item)]])),
  );
}

/** What most alternatives of a request find; the rest is how the alternatives differ. */
function mostFrequent(violations: readonly FieldViolation[]): FieldViolation | undefined {
  const groups = Map.groupBy(violations, ({ message }) => message);
  const [group] = [...groups.values()].sort((one, other) => other.length - one.length);
  return group?.[0];
}

/** Lets unknown fields through. */
const openSchema = compilerOf(openApi, (schema) => copy(schema, true));
const closedSchema = compilerOf(openApi, (schema) => copy(schema, false));

const closing = ['unevaluatedProperties', 'additionalProperties'];

/** A copy whose references lead into the registered document. The forms of texts, such as addresses, are not judged. */
function copy(value: unknown, isOpen: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, isOpen));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => !(isOpen && closing.includes(name) && item === false))
      .filter(([name, item]) => !(name === 'format' && typeof item === 'string'))
      .map(([name, item]) => [
        name,
        name === '$ref' && typeof item === 'string' ? intoDocument(item) : copy(item, isOpen),
      ]),
  );
}
