import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Exchange, HttpExchange } from '../exchange.ts';
import {
  asObject,
  isObject,
  type JsonObject,
  objectAt,
  openApi,
  resolve,
} from '../specification/document.ts';
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
  const because = `${broken.where === '' ? 'its body' : `\`${broken.where}\``} ${broken.message}`;
  const refusals = ['schema', 'malformed-body', 'rule'];
  return { ...exchange, expectation: { outcome: 'refused', refusals, because } };
}

/** The first thing in which a body breaks the schema of its request. */
interface SchemaBreak {
  /** JSON pointer; empty for the body as a whole. */
  readonly where: string;
  readonly message: string;
  /** The interface does not state it. */
  readonly isOurs: boolean;
}

/** Schema violation in a decoded body, judged by the schema as it is: unknown fields count as ours. */
export function schemaBreakOf(exchange: HttpExchange, body: unknown): SchemaBreak | undefined {
  return breakOf(exchange, body, openSchema) ?? breakOf(exchange, body, closedSchema);
}

function breakOf(exchange: HttpExchange, body: unknown, compile: Compile): SchemaBreak | undefined {
  const operation = findOperation(exchange.request.method, exchange.request.url);
  const schema = operation && requestSchema(operation, exchange);
  if (schema === undefined || body === undefined) return undefined;
  const validate = compile(schema);
  if (validate(plain(body))) return undefined;
  const first = mostFrequent(validate.errors ?? []);
  const { instancePath = '', message = 'breaks the schema', keyword = '', params = {} } = first ?? {};
  const mark: unknown = first?.parentSchema?.['x-provenance'];
  const covered = isObject(mark) && Array.isArray(mark.of) ? mark.of.includes(keyword) : isObject(mark);
  const unknown: unknown = params.unevaluatedProperty ?? params.additionalProperty;
  return unknown === undefined
    ? { where: instancePath, message, isOurs: covered }
    : {
        where: `${instancePath}/${String(unknown)}`,
        message: 'is not a field of the specification',
        isOurs: true,
      };
}

/** Of JSON and MessagePack; in forms everything is a string, so that types say nothing. */
function requestSchema({ method, path }: Operation, { request }: HttpExchange): JsonObject | undefined {
  const mediaType = mediaTypeOf(request.headers['content-type']) ?? '';
  const isDecoded = request.decoded !== undefined;
  if (!isDecoded && !isJsonType(mediaType) && !mediaType.endsWith('msgpack')) return undefined;
  const operation = asObject(resolve(openApi(), objectAt(openApi(), 'paths')[path])[method.toLowerCase()]);
  const content = objectAt(resolve(openApi(), operation.requestBody), 'content');
  const known = content[mediaType] ?? (isDecoded ? content['application/json'] : undefined);
  return isObject(known) ? objectAt(known, 'schema') : undefined;
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

/** The error that most alternatives of a request share; the rest is how the alternatives differ. */
function mostFrequent(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const groups = Map.groupBy(errors, ({ instancePath, message }) => `${instancePath} ${message}`);
  const [group] = [...groups.values()].sort((one, other) => other.length - one.length);
  return group?.[0];
}

type Compile = (schema: JsonObject) => ValidateFunction;

/** Lets unknown fields through. */
const openSchema = createCompiler(true);
const closedSchema = createCompiler(false);

/** Compiles each schema once, and the components that it refers to with the first one. */
function createCompiler(isOpen: boolean): Compile {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, verbose: true });
  for (const format of ['binary', 'date-time', 'uri']) ajv.addFormat(format, true);
  const compiled = new Map<string, ValidateFunction>();
  return (schema) => {
    const key = JSON.stringify(schema);
    if (compiled.size === 0)
      ajv.addSchema({ components: copy(openApi().components, isOpen) }, 'speech:requests');
    const validate = compiled.get(key) ?? ajv.compile(copy(schema, isOpen) as JsonObject);
    compiled.set(key, validate);
    return validate;
  };
}

/** A copy whose references lead into the registered document; an open one lets unknown fields through. */
function copy(value: unknown, isOpen: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, isOpen));
  if (!isObject(value)) return value;
  const closed = ['unevaluatedProperties', 'additionalProperties'];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => !(isOpen && closed.includes(name) && item === false))
      .map(([name, item]) => [
        name,
        name === '$ref' && typeof item === 'string'
          ? item.replace(/^#/, 'speech:requests#')
          : copy(item, isOpen),
      ]),
  );
}
