import type { Exchange, HttpExchange } from '../exchange.ts';
import type { Problem } from '../problem.ts';
import {
  asyncApi,
  findOperation,
  isObject,
  type JsonObject,
  type Operation,
  objectAt,
  openApi,
  resolve,
} from '../specification/document.ts';
import {
  compilerOf,
  type FieldViolation,
  fieldViolations,
  intoDocument,
  violationsIn,
} from '../specification/field-violations.ts';
import { type Answer, decodeRequest, isJsonType, mediaTypeOf } from './answer.ts';
import type { DecodedMessage } from './live-session.ts';
import type { RawStream } from './timestamps.ts';

/** The fields of a body, or of every event of a stream, against their schema. */
export interface Fields {
  readonly violations: readonly PlacedViolation[];
  /** Bodies and payloads that contain no value. */
  readonly undecoded: readonly { readonly message: string; readonly where?: string }[];
}

interface PlacedViolation extends FieldViolation {
  readonly where: string;
}

/** Returns the fields of a JSON answer; `undefined` if no JSON is expected. */
export function fieldsOfAnswer(answer: Answer): Fields | undefined {
  const { value, unreadable, status, documented, mediaType } = answer;
  // The shape of an error is judged as a whole; its additional fields are reported here.
  if (status >= 400) {
    if (value === undefined) return undefined;
    const violations = violationsOfError(value).filter(({ kind }) => kind === 'unknown');
    return { violations: placed(violations), undecoded: [] };
  }
  const schema =
    documented?.content.get(mediaType ?? '') ??
    [...(documented?.content ?? [])].find(([documentedType]) => isJsonType(documentedType))?.[1];
  if (schema === undefined) return undefined;
  if (unreadable !== undefined)
    return { violations: [], undecoded: [{ message: `The body can't be read: ${unreadable}.` }] };
  if (value === undefined) return undefined;
  return { violations: placed(fieldViolations(openApi(), schema, value)), undecoded: [] };
}

/** Violations of the schema of an error: of a list of issues, or of a general one. */
export function violationsOfError(value: unknown): readonly FieldViolation[] {
  const schema = Array.isArray(value) ? 'ValidationError' : 'GeneralError';
  return fieldViolations(openApi(), { $ref: `#/components/schemas/${schema}` }, value);
}

/** The fields of all events. Unreadable payloads have their own rule. */
export function fieldsOfStream({ events }: RawStream): Fields {
  const message = resolve(openApi(), { $ref: '#/components/schemas/SpeechStreamMessage' });
  const schema = objectAt(objectAt(objectAt(message, 'properties'), 'data'), 'contentSchema');
  const violations = events.flatMap(({ index, payload }) =>
    'value' in payload
      ? fieldViolations(openApi(), schema, payload.value).map((violation) => ({
          ...violation,
          message: `Event ${index}: ${violation.message}`,
          where: `event ${index} ${violation.pointer}`.trim(),
        }))
      : [],
  );
  return { violations, undecoded: [] };
}

/** True for a message that the specification lets a server send. */
export function isKnownMessage({ event }: JsonObject): boolean {
  return event === 'audio' || event === 'finish' || event === 'error';
}

function violationsOfMessage(message: JsonObject): readonly FieldViolation[] {
  if (!isKnownMessage(message)) return [];
  const messages = objectAt(objectAt(asyncApi(), 'components'), 'messages');
  const payload = objectAt(resolve(asyncApi(), objectAt(messages, String(message.event))), 'payload');
  // The schema describes bytes as a string; their type is judged separately.
  const written = Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name, value instanceof Uint8Array ? '' : value]),
  );
  const violations = fieldViolations(asyncApi(), payload, written);
  if (message.event !== 'audio' || message.audio === undefined || message.audio instanceof Uint8Array)
    return violations;
  const others = violations.filter(({ pointer }) => pointer !== '/audio');
  const words = '`/audio` is not binary.';
  return [...others, { kind: 'type', pointer: '/audio', message: words, expected: 'binary' }];
}

function placed(violations: readonly FieldViolation[]): readonly PlacedViolation[] {
  return violations.map((violation) => ({ ...violation, where: violation.pointer }));
}

/** The violations of server messages that a rule covers. */
export function judgeFields(
  messages: readonly DecodedMessage[],
  speaksAbout: (violation: FieldViolation) => boolean,
): readonly Problem[] {
  return messages.flatMap(({ index, direction, map }) =>
    direction === 'sent' || map === undefined
      ? []
      : violationsOfMessage(map)
          .filter(speaksAbout)
          .map(({ message, pointer, expected, actual }) => ({
            message: `Message ${index}: ${message}`,
            where: `message ${index} ${pointer}`.trim(),
            expected,
            actual,
          })),
  );
}

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

/** True for JSON and MessagePack; in forms everything is a string, so types say nothing. */
function requestSchema({ requestSchemas }: Operation, { request }: HttpExchange): JsonObject | undefined {
  const mediaType = mediaTypeOf(request.headers['content-type']) ?? '';
  const isDecoded = request.decoded !== undefined;
  if (!isDecoded && !isJsonType(mediaType) && !mediaType.endsWith('msgpack')) return undefined;
  return requestSchemas.get(mediaType) ?? (isDecoded ? requestSchemas.get('application/json') : undefined);
}

/** Bytes become strings, as in the schema, and nulls are removed, because the interface does not say whether they are allowed. */
export function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return 'AAAA';
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (item === null ? [] : [[name, plain(item)]])),
  );
}

/** The errors that most alternatives report; the others only show how the alternatives differ. */
function mostFrequent(violations: readonly FieldViolation[]): FieldViolation | undefined {
  const groups = Map.groupBy(violations, ({ message }) => message);
  const [group] = [...groups.values()].sort((first, second) => second.length - first.length);
  return group?.[0];
}

/** Accepts unknown fields. */
const openSchema = compilerOf(openApi, (schema) => copy(schema, true));
const closedSchema = compilerOf(openApi, (schema) => copy(schema, false));

const closing = ['unevaluatedProperties', 'additionalProperties'];

/** A copy whose references lead into the registered document. Formats of texts, such as addresses, are ignored. */
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
