import { decode, encode } from '@msgpack/msgpack';
import type { CarriedRequest } from '../proxy/carried.ts';
import { isObject, type JsonObject } from './json.ts';

/** The media type of a request's body, without its parameters. */
export function mediaTypeOf({ headers }: CarriedRequest): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The fields of a JSON or MessagePack body; `undefined` for other bodies, and for broken ones. */
export function fieldsOf(request: CarriedRequest): JsonObject | undefined {
  try {
    const type = mediaTypeOf(request);
    const value: unknown =
      type === 'application/json'
        ? JSON.parse(request.body.toString())
        : type === 'application/msgpack'
          ? decode(request.body)
          : undefined;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The request with other fields, in the media type it has. */
export function withFields(
  request: CarriedRequest,
  change: (fields: JsonObject) => JsonObject | undefined,
): CarriedRequest | undefined {
  const fields = fieldsOf(request);
  const changed = fields && change(fields);
  if (changed === undefined) return undefined;
  const isJson = mediaTypeOf(request) === 'application/json';
  const body = isJson ? JSON.stringify(changed) : encode(changed, { ignoreUndefined: true });
  return { ...request, body: Buffer.from(body) };
}

/** The request with another query. */
export function withQuery(
  request: CarriedRequest,
  change: (query: URLSearchParams) => void,
): CarriedRequest | undefined {
  const [path = '', query = ''] = request.target.split('?');
  const parameters = new URLSearchParams(query);
  change(parameters);
  const changed = parameters.toString();
  if (changed === new URLSearchParams(query).toString()) return undefined;
  return { ...request, target: changed === '' ? path : `${path}?${changed}` };
}

/** The query of a request. */
export function queryOf({ target }: CarriedRequest): URLSearchParams {
  return new URLSearchParams(target.split('?')[1] ?? '');
}
