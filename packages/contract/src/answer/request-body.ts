import { decode } from '@msgpack/msgpack';
import type { RecordedRequest } from '../exchange/http-exchange.ts';
import { isJsonType, mediaTypeOf } from './media-type.ts';
import { decodeJson } from './strict-json.ts';

/** What a request says, by the libraries of the field; `undefined` when it has no body or one that can't be read. */
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
    if (/[/+](x-)?msgpack$/.test(mediaType)) return decode(body, decodeLimits(body));
    if (mediaType === 'application/x-www-form-urlencoded') {
      return fieldsOf(new URLSearchParams(new TextDecoder().decode(body)));
    }
    if (mediaType === 'multipart/form-data') return await formFields(body, header ?? '');
  } catch {
    // A request that can't be read is one that the server had to refuse; its expectation says so.
  }
  return undefined;
}

/** Limits that a body of this size cannot exceed honestly. */
export function decodeLimits(bytes: Uint8Array) {
  const most = bytes.length;
  return {
    maxStrLength: most,
    maxBinLength: most,
    maxArrayLength: most,
    maxMapLength: most,
    maxExtLength: most,
  };
}

async function formFields(body: Uint8Array, contentType: string): Promise<unknown> {
  const form = await new Response(body.slice(), { headers: { 'content-type': contentType } }).formData();
  const entries: [string, unknown][] = [];
  for (const [name, value] of form) {
    entries.push([name, typeof value === 'string' ? value : new Uint8Array(await value.arrayBuffer())]);
  }
  return fieldsOf(entries);
}

/** A name that stands once has its value, one that stands more often an array of them. */
function fieldsOf(entries: Iterable<readonly [string, unknown]>): Readonly<Record<string, unknown>> {
  const fields = new Map<string, unknown[]>();
  for (const [name, value] of entries) fields.set(name, [...(fields.get(name) ?? []), value]);
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}
