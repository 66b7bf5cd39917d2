import type { BinaryInput } from '@speech-api/types';
import { mediaTypes } from '@speech-api/types/constants';
import { holdsBinary, isBlob } from './copy.ts';
import { RequestError } from './errors.ts';
import { loadLater } from './on-demand.ts';

/** Media type in which a body can be encoded. */
export type BodyType = (typeof mediaTypes)[Exclude<keyof typeof mediaTypes, 'eventStream'>];

/** A request body as `Request` takes it, with the headers that it needs. */
export interface EncodedBody {
  readonly body: BodyInit;
  readonly headers: Readonly<Record<string, string>>;
  readonly duplex?: 'half';
}

type FormValue = string | number | boolean | null | undefined | BinaryInput;

/**
 * `value` as a body: as it is asked for, or as MessagePack where it holds binary (base64 would cost a third more, and
 * some services refuse it) and as JSON where it does not. The MessagePack encoder is loaded when it is first needed.
 *
 * @param streams - Whether the runtime sends a stream with the length that is named. Then no part is copied.
 * @throws `RequestError` for a value that cannot be sent, naming the field.
 */
export async function encodeBody(
  value: object,
  contentType: BodyType | undefined,
  streams: boolean,
): Promise<EncodedBody> {
  const hasBinary = holdsBinary(value);
  const type = contentType ?? (hasBinary ? mediaTypes.msgpack : mediaTypes.json);
  if (hasBinary && type === mediaTypes.json) {
    throw new RequestError('body holds binary, which JSON cannot carry', { field: 'body' });
  }
  const isForm = type === mediaTypes.multipart;
  if (!isForm && type !== mediaTypes.msgpack) {
    return { body: serializeBody(value, { 'content-type': type }), headers: { 'content-type': type } };
  }
  const { encodeForm, encodeRequest, requireReadable, streamParts } = await loadLater();
  if (hasBinary) await requireReadable(value);
  const encoded = isForm ? encodeForm(fill(new FormData(), value)) : { type, ...encodeRequest(value) };
  const { parts, byteLength } = encoded;
  const headers = { 'content-type': encoded.type };
  if (!streams) return { body: new Blob([...parts]), headers };
  return {
    body: streamParts(parts, byteLength),
    headers: { ...headers, 'content-length': String(byteLength) },
    duplex: 'half',
  };
}

/**
 * The body serializer of `client.http`: a plain object by the media type of its headers, JSON unless they say
 * otherwise; what is a body already stays as it is.
 */
export function serializeBody(
  value: unknown,
  headers?: Headers | Readonly<Record<string, string>>,
): BodyInit {
  if (typeof value === 'string' || isBodyInit(value)) return value;
  const type = new Headers(headers).get('content-type') ?? mediaTypes.json;
  if (type.startsWith(mediaTypes.urlencoded)) return fill(new URLSearchParams(), Object(value)).toString();
  if (type.startsWith(mediaTypes.multipart)) return fill(new FormData(), Object(value));
  if (type.startsWith(mediaTypes.msgpack)) {
    throw new RequestError('encode MessagePack with @speech-api/msgpack and pass the bytes', {
      field: 'body',
    });
  }
  return JSON.stringify(value);
}

function isBodyInit(value: unknown): value is BodyInit {
  const kinds = [Blob, FormData, URLSearchParams, ReadableStream, ArrayBuffer];
  return ArrayBuffer.isView(value) || kinds.some((kind) => value instanceof kind);
}

/**
 * Adds fields to a multipart or urlencoded form: an array as several of one name, never as a list joined by commas. Null
 * and undefined are left out, for a form cannot say null.
 */
function fill<Form extends FormData | URLSearchParams>(form: Form, fields: object): Form {
  for (const [name, field] of Object.entries(fields)) {
    for (const value of [field].flat() as readonly FormValue[]) {
      if (value === null || value === undefined) continue;
      if (typeof value !== 'object' || form instanceof URLSearchParams) form.append(name, String(value));
      // A part without a file name would arrive as a text field.
      else form.append(name, toBlob(value), (value as Partial<File>).name ?? name);
    }
  }
  return form;
}

function toBlob(value: BinaryInput): Blob {
  return isBlob(value) ? value : new Blob([value as Uint8Array<ArrayBuffer> | ArrayBuffer]);
}
