import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { decodeRequest, isJsonType, mediaTypeOf } from '../answer/answer.ts';
import { CannotJudge } from '../command/command.ts';
import type { Exchange, HttpExchange } from '../exchange.ts';
import { judge } from '../judge/judge.ts';
import type { JudgeOptions, Report } from '../judge/report.ts';
import {
  asObject,
  isObject,
  type JsonObject,
  objectAt,
  openApi,
  resolve,
} from '../specification/document.ts';
import { findOperation, type Operation } from '../specification/operations.ts';
import { readRecording } from './recordings.ts';

/** What `check` says: the judgement, and what it did not look at. */
export interface CheckReport extends Report {
  readonly recordings: {
    readonly files: readonly string[];
    /** Entries of other services, and those that got no answer. */
    readonly ignored: number;
  };
}

/**
 * Judges recorded traffic, HAR files and transcripts of the spec, without a server.
 *
 * @throws CannotJudge when a file can't be read, or none of them holds a call of the API
 */
export async function check(files: readonly string[], options: JudgeOptions = {}): Promise<CheckReport> {
  const exchanges: Exchange[] = [];
  let ignored = 0;
  for (const file of files) {
    const recording = await readRecording(file);
    ignored += recording.ignored;
    for (const exchange of recording.exchanges) exchanges.push(await deriveExpectation(exchange));
  }
  if (exchanges.length === 0) {
    throw new CannotJudge(
      `There is no call of the speech API in ${files.join(', ')}: ${ignored} entries of other services.`,
    );
  }
  const report = await judge(exchanges, options);
  return { ...report, recordings: { files, ignored } };
}

/**
 * Adds what is due where a recorded request breaks its schema: a refusal.
 *
 * Only what the interface states counts: unknown fields and explicit nulls are refused by some servers and not by others.
 * Of a request that keeps its schema nothing is expected, since its server may have reasons that no recording shows.
 */
async function deriveExpectation(exchange: Exchange): Promise<Exchange> {
  if (exchange.kind === 'live' || exchange.expectation !== undefined) return exchange;
  const because = await brokenSchema(exchange);
  if (because === undefined) return exchange;
  return {
    ...exchange,
    expectation: { outcome: 'refused', refusals: ['schema', 'malformed-body', 'rule'], because },
  };
}

async function brokenSchema(exchange: HttpExchange): Promise<string | undefined> {
  const operation = findOperation(exchange.request.method, exchange.request.url);
  const schema = operation && requestSchema(operation, exchange);
  if (schema === undefined) return undefined;
  const body = await decodeRequest(exchange.request);
  if (body === undefined) return undefined;
  const validate = compile(schema);
  if (validate(plain(body))) return undefined;
  const { instancePath, message } = validate.errors?.[0] ?? {};
  const place = instancePath === undefined || instancePath === '' ? 'its body' : `\`${instancePath}\``;
  return `${place} ${message ?? 'breaks the schema'}`;
}

/** Of JSON and MessagePack; in forms everything is a string, so that types say nothing. */
function requestSchema({ method, path }: Operation, { request }: HttpExchange): JsonObject | undefined {
  const mediaType = mediaTypeOf(request.headers['content-type']) ?? '';
  const isDecoded = request.decoded !== undefined;
  if (!isDecoded && !isJsonType(mediaType) && !mediaType.endsWith('msgpack')) return undefined;
  const operation = asObject(resolve(openApi(), objectAt(openApi(), 'paths')[path])[method.toLowerCase()]);
  const content = objectAt(resolve(openApi(), operation.requestBody), 'content');
  const known = content[mediaType] ?? (isDecoded ? content['application/json'] : undefined);
  return isObject(known) ? objectAt({ known }, 'known') && objectAt(known, 'schema') : undefined;
}

/** Bytes as strings, as the schema describes them, and without nulls: whether these are allowed is not stated. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return 'AAAA';
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (item === null ? [] : [[name, plain(item)]])),
  );
}

let ajv: Ajv2020 | undefined;
const compiled = new Map<string, ValidateFunction>();

function compile(schema: JsonObject): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  if (ajv === undefined) {
    ajv = new Ajv2020({ strict: false, validateSchema: false });
    ajv.addFormat('binary', true);
    ajv.addFormat('date-time', true);
    ajv.addFormat('uri', true);
    ajv.addSchema({ components: open(openApi().components) }, 'speech:requests');
  }
  const validate = ajv.compile(open(schema) as JsonObject);
  compiled.set(key, validate);
  return validate;
}

/** A copy that lets unknown fields through. */
function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (!isObject(value)) return value;
  const closed = ['unevaluatedProperties', 'additionalProperties'];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => !(closed.includes(name) && item === false))
      .map(([name, item]) => [
        name,
        name === '$ref' && typeof item === 'string' ? item.replace(/^#/, 'speech:requests#') : open(item),
      ]),
  );
}
