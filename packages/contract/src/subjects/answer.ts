import { decode } from '@msgpack/msgpack';
import { headerNames } from '@speech-api/types';
import type { Exchange, Headers, HttpExchange, RecordedRequest } from '../exchange.ts';
import {
  type DocumentedResponse,
  findOperation,
  isObject,
  type JsonObject,
  type Operation,
  operations,
  pathValues,
} from '../specification/document.ts';

/** One HTTP answer with its request, ready for the rules. */
export interface Answer {
  readonly exchange: HttpExchange;
  /** Undefined if the request belongs to no operation, as with an unknown path. */
  readonly operation: Operation | undefined;
  readonly status: number;
  readonly isSuccess: boolean;
  /** The spec's response for this status. */
  readonly documented: DocumentedResponse | undefined;
  /** Without parameters; empty if the answer has no media type, `undefined` if it is invalid. */
  readonly mediaType: string | undefined;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The decoded body, if it is or should be JSON and can be decoded. */
  readonly value?: unknown;
  /** The decoded body, if it is an object. */
  readonly object?: JsonObject | undefined;
  /** Reason why a body that should be JSON can't be read. */
  readonly unreadable?: string;
  readonly asked: AskedFor;
}

/** The parts of the request. */
interface AskedFor {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The decoded body, if it can be read. */
  readonly body: unknown;
  readonly traceparent: string | undefined;
}

/** Reads an exchange for the rules. */
export async function readAnswer(exchange: HttpExchange): Promise<Answer> {
  const { request, response } = exchange;
  const id = operationIdOf(exchange);
  const operation = id && operations().get(id);
  const answer: Answer = {
    exchange,
    status: response.status,
    isSuccess: isSuccess(response.status),
    mediaType: mediaTypeOf(response.headers['content-type']),
    headers: response.headers,
    body: response.body,
    asked: {
      path: operation === undefined ? {} : pathValues(operation, request.url),
      query: URL.canParse(request.url) ? new URL(request.url).searchParams : new URLSearchParams(),
      headers: request.headers,
      body: await decodeRequest(request),
      traceparent: request.headers[headerNames.traceparent],
    },
    operation,
    documented: operation?.responses.get(response.status),
  };
  if (response.isBodyMissing === true || !isJsonDue(answer)) return answer;
  const json = decodeJson(response.body);
  // A beginning of JSON can't be read.
  if ('problem' in json)
    return response.ended === 'unknown' ? answer : { ...answer, unreadable: json.problem };
  return { ...answer, value: json.value, object: isObject(json.value) ? json.value : undefined };
}

/** The operation of an exchange; `undefined` for an unknown path. */
export function operationIdOf(exchange: Exchange): Operation['id'] | undefined {
  if (exchange.kind === 'live' || exchange.operationId !== undefined) return exchange.operationId;
  return findOperation(exchange.request.method, exchange.request.url)?.id;
}

/** The media type in which a request was written, if it had a body. */
export function encodingOf(exchange: Exchange): { readonly encoding?: string } {
  const encoding =
    exchange.kind === 'live' ? undefined : mediaTypeOf(exchange.request.headers['content-type']);
  return encoding ? { encoding } : {};
}

/** Errors are judged as JSON whatever their media type; an HTML page has no shape. */
function isJsonDue({ status, documented, body, mediaType }: Answer): boolean {
  if (status >= 400) return true;
  if ([...(documented?.content.keys() ?? [])].some(isJsonType)) return true;
  return body.length > 0 && mediaType !== undefined && isJsonType(mediaType);
}

/** A media type without parameters, in lower case; empty if there is none, `undefined` if it is invalid. */
export function mediaTypeOf(header: string | undefined): string | undefined {
  if (header === undefined) return '';
  const essence = (header.split(';', 1)[0] ?? '').trim().toLowerCase();
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(essence) ? essence : undefined;
}

/** True for media types of text where audio belongs: words, pages, data. */
export function isTextType(mediaType: string): boolean {
  return mediaType.startsWith('text/') || /[/+](json|xml|html|javascript|yaml|csv)$/.test(mediaType);
}

export function isJsonType(mediaType: string): boolean {
  return /[/+]json$/.test(mediaType);
}

/** Decodes a request body with established libraries; `undefined` if there is none or it can't be read. */
export async function decodeRequest(request: RecordedRequest): Promise<unknown> {
  if (request.decoded !== undefined) return request.decoded;
  const { body } = request;
  if (body === undefined || body.length === 0) return undefined;
  const header = request.headers['content-type'];
  const mediaType = mediaTypeOf(header) ?? '';
  try {
    if (isJsonType(mediaType)) {
      const decoded = decodeJson(body);
      return 'value' in decoded ? decoded.value : undefined;
    }
    if (/[/+](x-)?msgpack$/.test(mediaType)) return decode(body);
    if (mediaType === 'application/x-www-form-urlencoded') {
      return fieldsOf(new URLSearchParams(new TextDecoder().decode(body)));
    }
    if (mediaType === 'multipart/form-data') return await formFields(body, header ?? '');
  } catch {
    // The server had to refuse a request that cannot be read; the expectation says so.
  }
  return undefined;
}

async function formFields(body: Uint8Array, contentType: string): Promise<unknown> {
  const form = await new Response(body.slice(), { headers: { 'content-type': contentType } }).formData();
  const entries: [string, unknown][] = [];
  for (const [name, value] of form) {
    entries.push([name, typeof value === 'string' ? value : new Uint8Array(await value.arrayBuffer())]);
  }
  return fieldsOf(entries);
}

/** A name that occurs once has its value, a repeated name has an array of its values. */
function fieldsOf(entries: Iterable<readonly [string, unknown]>): Readonly<Record<string, unknown>> {
  const fields = new Map<string, unknown[]>();
  for (const [name, value] of entries) fields.set(name, [...(fields.get(name) ?? []), value]);
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/** The trace id of a valid traceparent, by the W3C recommendation. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
  return pattern.exec(traceparent ?? '')?.[1];
}

/** The trace id of an answer whose request had no valid traceparent. */
export function ownTraceOf({ headers, asked }: Answer): string | undefined {
  return traceIdOf(asked.traceparent) === undefined ? headers[headerNames.traceId] : undefined;
}

/** True if the status is that of a success; 101 opens a live session. */
export function isSuccess(status: number): boolean {
  return status === 101 || (status >= 200 && status < 300);
}

/** No credit, too many calls, no room, a gateway without a server: such an answer says nothing about its request. */
export const aboutTheAccount: readonly number[] = [402, 429, 502, 503, 504];

/** Describes calls that all failed, such as `3 calls were answered 503, 404`; 0 means no answer. */
export function describeAttempts(statuses: readonly number[]): string {
  const { length } = statuses;
  return `${length === 1 ? '1 call was' : `${length} calls were`} answered ${[...new Set(statuses)].join(', ')}`;
}

/** The decoded body, or the reason why there is none. */
export type DecodedJson = { readonly value: unknown } | { readonly problem: string };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes one JSON value in UTF-8. */
export function decodeJson(bytes: Uint8Array): DecodedJson {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { problem: 'it is not UTF-8' };
  }
  return decodeJsonText(text);
}

export function decodeJsonText(text: string): DecodedJson {
  if (text.trim() === '') return { problem: 'it is empty' };
  if (text.startsWith('\ufeff'))
    return { problem: 'it begins with a byte order mark, which JSON does not allow' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: describe(error as Error, text) };
  }
  return { value };
}

/** Describes the position where JSON ends. The parser's own message may quote a part of a key. */
function describe({ message }: Error, text: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return `it is not JSON from character ${position} on`;
  return `it is not JSON: it begins with ${JSON.stringify(text.trimStart().charAt(0))}`;
}

/**
 * The first difference in shape between two values: in their names or their types. The values do not matter.
 *
 * Null matches anything, and an empty array matches any array: neither shows a shape.
 */
export function shapeDifference(left: unknown, right: unknown, pointer = ''): string | undefined {
  if (left === null || right === null) return undefined;
  const place = pointer === '' ? 'the body' : `\`${pointer}\``;
  if (kindOf(left) !== kindOf(right)) return `${place} is ${kindOf(left)} here and ${kindOf(right)} there`;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === 0 || right.length === 0
      ? undefined
      : shapeDifference(left[0], right[0], `${pointer}/0`);
  }
  if (!isObject(left) || !isObject(right)) return undefined;
  for (const name of Object.keys({ ...left, ...right })) {
    if (!(name in left) || !(name in right)) return `\`${pointer}/${name}\` is there only once`;
    const difference = shapeDifference(left[name], right[name], `${pointer}/${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'an array' : isObject(value) ? 'an object' : `a ${typeof value}`;
}
