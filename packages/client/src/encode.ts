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
type FormFields = Readonly<Record<string, FormValue | readonly FormValue[]>>;
type Parts = readonly (Uint8Array<ArrayBuffer> | Blob)[];

/** What is wrong with a text in place of audio. */
export const pathIsNoAudio =
  'is a text; pass the bytes, a Blob or a File (in Node: openAudioFile(path) of @speech-api/client/node)';

/** No more than this is handed to the connection at a time, so that an abort is not felt megabytes later. */
const pieceBytes = 256 * 1024;

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
  const hasBinary = examine(value, [], []);
  const type = contentType ?? (hasBinary ? mediaTypes.msgpack : mediaTypes.json);
  // A multipart body names its own type, with the boundary.
  refuseIf(hasBinary && type === mediaTypes.json, [], 'holds binary, which JSON cannot carry');
  const headers = type === mediaTypes.multipart ? {} : { 'content-type': type };
  if (type === mediaTypes.json) return { body: JSON.stringify(value), headers };
  if (type !== mediaTypes.msgpack) return { body: serializeBody(value, { 'content-type': type }), headers };
  const { encodeRequest } = await import('./encode-message-pack.ts');
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
  if (type.startsWith(mediaTypes.urlencoded)) return createUrlEncoded(value as FormFields);
  if (type.startsWith(mediaTypes.multipart)) return createForm(value as FormFields);
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
 * Whether a value holds binary. Refuses what no encoding carries: cycles, NaN, functions, dates and other objects that
 * are not plain data, and halves of characters.
 */
function examine(value: unknown, path: readonly string[], ancestors: readonly object[]): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return false;
  if (typeof value === 'string')
    return refuseIf(/\p{Surrogate}/u.test(value), path, 'holds half a character');
  if (typeof value !== 'object')
    return refuseIf(!Number.isFinite(value), path, `cannot be ${describe(value)}`);
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value) || value instanceof Blob) return true;
  refuseIf(ancestors.includes(value), path, 'contains itself');
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  refuseIf(kind !== 'Object' && kind !== 'Array', path, `cannot be a ${kind}`);
  let found = false;
  for (const [name, child] of Object.entries(value)) {
    if (examine(child, [...path, name], [...ancestors, value])) found = true;
  }
  return found;
}

function refuseIf(wrong: boolean, path: readonly string[], reason: string): false {
  const field = path.join('.') || 'body';
  if (wrong) throw new RequestError(`${field} ${reason}`, { field });
  return false;
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${typeof value}`;
}

/**
 * A multipart body: one part a value, an array as parts of the same name. Null and undefined are left out,
 * for a form cannot say null.
 */
function createForm(fields: FormFields): FormData {
  const form = new FormData();
  for (const [name, value] of formEntries(fields)) {
    if (typeof value !== 'object') form.append(name, String(value));
    // A part without a file name would arrive as a text field.
    else form.append(name, toBlob(value), (value as Partial<File>).name ?? name);
  }
  return form;
}

/** A urlencoded body: an array as repeated keys, never as a list joined by commas. */
function createUrlEncoded(fields: FormFields): string {
  const form = new URLSearchParams();
  for (const [name, value] of formEntries(fields)) form.append(name, String(value));
  return form.toString();
}

function toBlob(value: BinaryInput): Blob {
  return value instanceof Blob ? value : new Blob([value as Uint8Array<ArrayBuffer> | ArrayBuffer]);
}

function* formEntries(fields: FormFields): Generator<[string, NonNullable<FormValue>]> {
  for (const [name, field] of Object.entries(fields)) {
    for (const value of (Array.isArray(field) ? field : [field]) as readonly FormValue[]) {
      if (value !== null && value !== undefined) yield [name, value];
    }
  }
}

/** A stream over the memory of the parts, one after the other. */
export function streamParts(parts: Parts, byteLength: number): ReadableStream<Uint8Array> {
  const pieces = readParts(parts);
  let left = byteLength;
  return new ReadableStream(
    {
      async pull(controller) {
        const { value } = await pieces.next();
        if (value) controller.enqueue(value);
        left -= value?.length ?? left;
        // With the last piece and not after it: a service that has its bytes answers at once, and a fetch that is
        // still asking for more takes that for a refusal.
        if (left <= 0) controller.close();
      },
      async cancel() {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* readParts(parts: Parts): AsyncGenerator<Uint8Array, void, undefined> {
  for (const part of parts) {
    if (part instanceof Uint8Array) {
      for (let begin = 0; begin < part.length; begin += pieceBytes) {
        yield part.subarray(begin, begin + pieceBytes);
      }
    } else yield* part.stream();
  }
}

/**
 * The value of a part of a path. Refuses what no encoding keeps in its place: nothing, `.` and `..` lead to
 * another path, where a DELETE may do harm.
 */
export function pathPart<Name extends string>(field: Name, value: unknown): Record<Name, string> {
  if (typeof value !== 'string' || /^\.{0,2}$|\p{Surrogate}/u.test(value)) {
    const found = typeof value === 'string' ? JSON.stringify(value) : String(value);
    throw new RequestError(`${field} cannot be ${found}; pass the id as a text`, { field });
  }
  return { [field]: value } as Record<Name, string>;
}
