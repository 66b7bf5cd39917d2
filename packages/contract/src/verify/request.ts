import { encode } from '@msgpack/msgpack';
import { headerNames, mediaTypes, type OperationId, operationTable } from '@speech-api/types';
import { UsageError } from '../errors.ts';
import type { Exchange, HttpExchange, RecordedRequest } from '../exchange.ts';
import { wrongKey } from '../key.ts';
import { holdSession, liveAddress } from '../transport/hold-session.ts';
import { describeFailure, readAddress, sendCall, type TransportLimits } from '../transport/send-call.ts';
import type { Call, Fields, Key, Memory, Query, Step } from './step.ts';

/** An encoded body with its content type. */
interface EncodedBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/**
 * Writes fields in one of the media types of the interface.
 *
 * @throws Error when the media type is not one of those
 */
async function encodeBody(contentType: string, fields: Fields): Promise<EncodedBody> {
  switch (contentType) {
    case mediaTypes.json:
      return { contentType, bytes: Buffer.from(JSON.stringify(withBase64(fields))) };
    case mediaTypes.msgpack:
      return { contentType, bytes: encode(fields, { ignoreUndefined: true }) };
    case mediaTypes.urlencoded:
      return { contentType, bytes: Buffer.from(new URLSearchParams(textEntries(fields)).toString()) };
    case mediaTypes.multipart:
      return await encodeMultipart(fields);
    default:
      throw new Error(`no way to write ${contentType}`);
  }
}

// The check comes before `toJSON`, by which a Buffer turns itself into a list of numbers.
function withBase64(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(withBase64);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withBase64(inner)]));
}

/** A repeated field is one entry per value: there is no common way to join them. */
function textEntries(fields: Fields): [string, string][] {
  return entriesOf(fields).map(([name, value]) => [name, String(value)]);
}

function entriesOf(fields: Fields): [string, unknown][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [value].flat().map((entry): [string, unknown] => [name, entry]),
  );
}

/** The query of an address, with its question mark; empty when there is none. */
function writeQuery(query: Query = {}): string {
  const text = new URLSearchParams(textEntries(query)).toString();
  return text === '' ? '' : `?${text}`;
}

async function encodeMultipart(fields: Fields): Promise<EncodedBody> {
  const form = new FormData();
  for (const [name, value] of entriesOf(fields)) {
    if (value instanceof Uint8Array) form.append(name, new Blob([value.slice()]), `${name}.bin`);
    else form.append(name, String(value));
  }
  const written = new Response(form);
  const contentType = written.headers.get('content-type') ?? mediaTypes.multipart;
  return { contentType, bytes: new Uint8Array(await written.arrayBuffer()) };
}

/** Writes a call down as the request that is sent. */
export async function writeCall(
  operationId: OperationId,
  call: Call,
  target: Target,
): Promise<RecordedRequest> {
  const operation = operationTable[operationId];
  const path = (call.elsewhere ?? operation.path).replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = call.path?.[name];
    if (value === undefined) throw new Error(`${operationId} needs a value for {${name}} of its path`);
    return encodeURIComponent(value);
  });
  const query = writeQuery(call.query);
  const body = await writeBody(call, operation.requestMediaTypes[0]);
  return {
    method: call.method ?? operation.method,
    url: `${target.base}${path}${query}`,
    headers: {
      accept: '*/*',
      'user-agent': 'speech-contract',
      ...authorization(call.key, target),
      ...(body !== undefined && {
        'content-type': body.contentType,
        'content-length': String(body.bytes.length),
      }),
      ...call.headers,
    },
    ...(body !== undefined && { body: body.bytes }),
    ...(call.fields !== undefined && { decoded: call.fields }),
  };
}

/** The header with the key, unless the call has none. */
export function authorization(
  key: Key = 'given',
  { key: given }: Pick<Target, 'key'>,
): Record<string, string> {
  if (key === 'none') return {};
  const values = {
    given: `Bearer ${given}`,
    wrong: `Bearer ${wrongKey}`,
    scheme: `Basic ${given}`,
    lower: `bearer ${given}`,
  };
  return { [headerNames.authorization]: values[key] };
}

async function writeBody(call: Call, usual: string | undefined): Promise<EncodedBody | undefined> {
  const mediaType = call.mediaType ?? usual;
  if (call.bytes !== undefined)
    return { contentType: mediaType ?? 'application/octet-stream', bytes: call.bytes };
  if (call.fields === undefined) return undefined;
  if (mediaType === undefined) throw new Error('a body needs a media type');
  return await encodeBody(mediaType, call.fields);
}

/** The server that is judged. */
export interface Target {
  /** Base address of the HTTP API, without a slash at its end. */
  readonly base: string;
  /** Base address of the live socket, without a slash at its end. */
  readonly live: string;
  readonly key: string;
}

/** The server's addresses and key, as the user gave them. */
export interface TargetOptions {
  readonly target: string;
  /** @defaultValue the address of `target`, with the scheme of WebSockets */
  readonly live?: string;
  /** The key, which is only sent in the header `authorization`. */
  readonly key: string;
}

/** @throws UsageError when an address is invalid, or the key is not a valid header value */
export function readTarget({ target, live, key: givenKey }: TargetOptions): Target {
  // A key that was read from a file ends with a line end.
  const key = givenKey.trim();
  const base = readAddress('--target', target, ['http:', 'https:']);
  const ownLive = base.replace(/^http/, 'ws');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      'SPEECH_API_KEY must be one word of printable ASCII characters. Check how it was set.',
    );
  }
  return { base, live: live === undefined ? ownLive : readAddress('--live', live, ['ws:', 'wss:']), key };
}

/** An exchange, with the reason if there was no answer. */
export interface Made {
  readonly exchange: Exchange;
  readonly failure?: Error;
}

/** Makes one step and records the exchange. */
export async function makeStep(
  step: Step,
  memory: Memory,
  target: Target,
  limits: TransportLimits,
  signal?: AbortSignal,
): Promise<Made> {
  const { name, expectation, groups } = step;
  const common = { name, expectation, ...(groups !== undefined && { groups }) };
  if (step.kind === 'live') {
    const headers = { ...authorization(step.key, target), ...step.headers };
    const call = { url: liveAddress(target.live), headers, script: step.script };
    const { failure, upgrade, ...session } = await holdSession(call, limits, signal);
    const response = { ...upgrade.response, ...why(failure) };
    const exchange: Exchange = {
      kind: 'live',
      operationId: step.operationId,
      ...common,
      ...session,
      upgrade: { ...upgrade, response },
    };
    return { exchange, ...(failure !== undefined && { failure }) };
  }
  const call = step.call(memory);
  const request = await writeCall(step.operationId, call, target);
  const isOfOperation = call.method === undefined && call.elsewhere === undefined;
  // Breaking off the creation of a voice model would lose its id, so that it could not be deleted.
  const breakable = step.operationId === 'createModel' ? undefined : signal;
  const { response, failure } = await sendCall(request, limits, breakable);
  const exchange: HttpExchange = {
    kind: 'http',
    ...(isOfOperation && { operationId: step.operationId }),
    ...common,
    request,
    response: { ...response, ...why(failure) },
  };
  return { exchange, ...(failure !== undefined && { failure }) };
}

function why(failure: Error | undefined): { readonly failure?: string } {
  return failure === undefined ? {} : { failure: describeFailure(failure) };
}
