import type { BinaryInput } from '@speech-api/types';
import { mediaTypes } from '@speech-api/types/constants';
import { RequestError } from './errors.ts';

/** How a body can be encoded. */
export type BodyType = (typeof mediaTypes)[Exclude<keyof typeof mediaTypes, 'eventStream'>];

/** A request body as `Request` takes it, with the headers that it needs. */
export interface EncodedBody {
  readonly body: BodyInit;
  readonly headers: Readonly<Record<string, string>>;
  readonly duplex?: 'half';
}

type FormValue = string | number | boolean | null | undefined | BinaryInput;

/** What is wrong with a text in place of a file. */
export const notAFile =
  'is a text; read the file first and pass its bytes, a Blob or a File (in Node: await openAudioFile(path) of @speech-api/client/node)';

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
  // A multipart body names its own type, with the boundary.
  refuseIf(hasBinary && type === mediaTypes.json, { value }, 'holds binary, which JSON cannot carry');
  const headers = type === mediaTypes.multipart ? {} : { 'content-type': type };
  if (hasBinary) await (await import('./encode-message-pack.ts')).requireReadable(value);
  if (type === mediaTypes.json) return { body: JSON.stringify(value), headers };
  if (type !== mediaTypes.msgpack) return { body: serializeBody(value, { 'content-type': type }), headers };
  const { encodeRequest, streamParts } = await import('./encode-message-pack.ts');
  const { parts, byteLength } = encodeRequest(value);
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
 * A copy of what a call was given, as it is now: of objects their own fields, of binary no byte. Refuses what no encoding
 * carries: cycles, NaN, functions, dates and other objects that are not plain data, and halves of characters.
 *
 * @throws `RequestError` naming the field.
 */
export function copyOf<Value>(given: Value): Value {
  return copyAt({ value: given }) as Value;
}

/** A value, and where it is in the request. */
interface Place {
  readonly value: unknown;
  readonly name?: number | string;
  readonly within?: Place;
}

function copyAt(place: Place): unknown {
  const { value } = place;
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    refuseIf(/\p{Surrogate}/u.test(value), place, 'holds half a character');
    return value;
  }
  if (typeof value !== 'object') {
    refuseIf(!Number.isFinite(value), place, `cannot be ${describe(value)}`);
    return value;
  }
  if (isBinary(value)) return ofThisRealm(value);
  for (let outer = place.within; outer; outer = outer.within) {
    refuseIf(outer.value === value, place, 'contains itself');
  }
  refuseIf(
    Symbol.asyncIterator in value || 'getReader' in value,
    place,
    'cannot be a stream; read it to its end first (in Node: await readAudio(stream) of @speech-api/client/node)',
  );
  const kind = kindOf(value);
  const instead = kind === 'Promise' ? '; await it first' : '';
  refuseIf(kind !== 'Object' && kind !== 'Array', place, `cannot be a ${kind}${instead}`);
  if (Array.isArray(value)) return value.map((child, name) => copyAt({ value: child, name, within: place }));
  const fields: [string, unknown][] = Object.entries(value);
  for (const field of fields) field[1] = copyAt({ value: field[1], name: field[0], within: place });
  return Object.fromEntries(fields);
}

/** Of a copy. */
function holdsBinary(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isBinary(value) || Object.values(value).some(holdsBinary);
}

/** `Object`, `Array`, `Blob` and so on; `instanceof` says no to what another realm made. */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

export const isBlob = (value: unknown): value is Blob => ['Blob', 'File'].includes(kindOf(value));

/** Whether a value is bytes, a Blob or a File, of this realm or another: tests have one of their own. */
export function isBinary(value: unknown): value is BinaryInput {
  return ArrayBuffer.isView(value) || kindOf(value) === 'ArrayBuffer' || isBlob(value);
}

/** The same memory, by a type of this realm. */
function ofThisRealm(value: BinaryInput): BinaryInput {
  const isOwn = value instanceof Uint8Array || value instanceof ArrayBuffer;
  if (isOwn || isBlob(value)) return value;
  const { buffer = value, byteOffset = 0, byteLength } = value as Uint8Array<ArrayBuffer>;
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

function refuseIf(wrong: boolean, place: Place, reason: string): void {
  if (!wrong) return;
  let field = '';
  for (let at: Place | undefined = place; at?.within; at = at.within) field = `${at.name}.${field}`;
  field = field.slice(0, -1) || 'body';
  throw new RequestError(`${field} ${reason}`, { field });
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${typeof value}`;
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
