import { decode, encode } from '@msgpack/msgpack';
import { sandboxKey } from '../test/testing/use-sandbox.ts';
import type { AnswerChange, CarriedAnswer, CarriedRequest, RequestChange } from './carried.ts';

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isSuccess = ({ status }: CarriedAnswer): boolean => status >= 200 && status < 300;

export const onSuccess =
  (change: AnswerChange): AnswerChange =>
  (answer, request) =>
    isSuccess(answer) ? change(answer, request) : undefined;

export const onStatus =
  (status: number, change: AnswerChange): AnswerChange =>
  (answer, request) =>
    answer.status === status ? change(answer, request) : undefined;

export const when =
  (isMeant: (request: CarriedRequest) => boolean, change: AnswerChange): AnswerChange =>
  (answer, request) =>
    isMeant(request) ? change(answer, request) : undefined;

export const header =
  (name: string, value: string | undefined): AnswerChange =>
  (answer) => {
    const headers = leftOut(name)(answer.headers);
    return { ...answer, headers: value === undefined ? headers : { ...headers, [name]: value } };
  };

/** Another body in JSON; an answer in another type stays as it is. */
export const json =
  (change: (value: unknown, request: CarriedRequest) => unknown): AnswerChange =>
  (answer, request) => {
    if (!String(answer.headers['content-type'] ?? '').includes('json')) return undefined;
    const value = change(JSON.parse(answer.body.toString()), request);
    return { ...answer, body: Buffer.from(JSON.stringify(value)) };
  };

export const object = (change: (body: JsonObject, request: CarriedRequest) => JsonObject): AnswerChange =>
  json((body, request) => (isObject(body) ? change(body, request) : body));

/** Another value of one field that is there; what is no object stays as it is. */
export const set =
  (name: string, change: (value: unknown) => unknown) =>
  <Value>(value: Value): Value =>
    isObject(value) && name in value ? { ...value, [name]: change(value[name]) } : value;

/** An object without one of its fields; what is no object stays as it is. */
export const leftOut =
  (name: string) =>
  <Value>(value: Value): Value => {
    if (!isObject(value)) return value;
    const { [name]: _left, ...others } = value;
    return others as Value;
  };

export const field = (name: string, change: (value: unknown) => unknown): AnswerChange =>
  json(set(name, change));

/** Another status, also in a general error, so that nothing else is wrong with it. */
export const status =
  (other: number): AnswerChange =>
  (answer, request) => {
    const changed = { ...answer, status: other };
    if (answer.status < 400) return changed;
    return field('status', () => other)(changed, request) ?? changed;
  };

/** A body of any type under a status; by default under the one it has. */
export const text =
  (type: string, body: string | ((before: string) => string), other?: number): AnswerChange =>
  (answer) => {
    const headers = leftOut('transfer-encoding')(answer.headers);
    const bytes = Buffer.from(typeof body === 'string' ? body : body(answer.body.toString()));
    return {
      status: other ?? answer.status,
      headers: { ...headers, 'content-type': type, 'content-length': String(bytes.length) },
      body: bytes,
    };
  };

/** A general error that is right for its status. */
export const refused = (other: number): AnswerChange =>
  text('application/json', JSON.stringify({ status: other, message: 'The proxy says so.' }), other);

export const bytes =
  (change: (body: Buffer) => Buffer): AnswerChange =>
  (answer) =>
    answer.body.length > 0 ? { ...answer, body: change(answer.body) } : undefined;

/** An event of the timestamp stream, as far as a change looks at it. */
export interface StreamEvent extends JsonObject {
  audio_base64: string;
  content: string;
  alignment: Snapshot | null;
  chunk_seq: number;
  chunk_audio_offset_sec: number;
}

export interface Snapshot {
  audio_duration: number;
  segments: { text: string; start: number; end: number }[];
}

/** Other blocks of text, one for each event of a stream. */
export const blocks =
  (change: (blocks: string[]) => readonly string[], lineEnd = '\n'): AnswerChange =>
  (answer) => {
    if (!String(answer.headers['content-type'] ?? '').startsWith('text/event-stream')) return undefined;
    const before = answer.body.toString().split('\n\n');
    const after = change(before.filter((block) => block !== ''));
    return { ...answer, body: Buffer.from(after.map((block) => block + lineEnd + lineEnd).join('')) };
  };

export const events = (change: (events: StreamEvent[]) => readonly unknown[]): AnswerChange =>
  blocks((all) =>
    change(all.map((block) => JSON.parse(block.slice('data: '.length)))).map(
      (event) => `data: ${JSON.stringify(event)}`,
    ),
  );

export const eachEvent = (change: (event: StreamEvent, index: number) => unknown): AnswerChange =>
  events((all) => all.map(change));

export const mediaTypeOf = ({ headers }: CarriedRequest): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** The fields of a JSON or MessagePack body; `undefined` for other bodies, and for broken ones. */
export function fieldsOf(request: CarriedRequest): JsonObject | undefined {
  const type = mediaTypeOf(request);
  try {
    const value = type === 'application/msgpack' ? decode(request.body) : JSON.parse(request.body.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Another request with other fields, in the media type it has. */
export const fields =
  (change: (fields: JsonObject, request: CarriedRequest) => JsonObject | undefined): RequestChange =>
  (request) => {
    const before = fieldsOf(request);
    const after = before && change(before, request);
    if (after === undefined) return undefined;
    const isMessagePack = mediaTypeOf(request) === 'application/msgpack';
    const body = isMessagePack ? encode(after, { ignoreUndefined: true }) : JSON.stringify(after);
    return { ...request, body: Buffer.from(body) };
  };

export const without = (name: string): RequestChange => fields(leftOut(name));

/** The header with the key that the judge has. */
export const goodKey = `Bearer ${sandboxKey}`;

/** A request with the good key in place of some others; `undefined` stands for none. */
export const keyedWith =
  (isLetIn: (given: string | undefined) => boolean): RequestChange =>
  (request) => {
    const { authorization } = request.headers;
    if (authorization === goodKey || !isLetIn(authorization)) return undefined;
    return { ...request, headers: { ...request.headers, authorization: goodKey } };
  };

export const formatOf = (request: CarriedRequest): string => String(fieldsOf(request)?.format ?? 'mp3');

export const queryOf = ({ target }: CarriedRequest): URLSearchParams =>
  new URLSearchParams(target.split('?')[1] ?? '');

export const query =
  (change: (query: URLSearchParams) => void): RequestChange =>
  (request) => {
    const parameters = queryOf(request);
    const before = parameters.toString();
    change(parameters);
    if (parameters.toString() === before) return undefined;
    return { ...request, target: `${request.target.split('?')[0]}?${parameters}` };
  };
