import { encodeRequest } from '@speech-api/msgpack';
import { mediaTypes } from '@speech-api/types/constants';
import { copyOf, holdsBinary, isBinary, isBlob, kindOf } from './copy.ts';
import { RequestError } from './errors.ts';
import type { ClientSettings } from './settings.ts';
import { createTrace } from './trace.ts';

// Loaded with the first body that is not JSON, and with the first body of `client.http`.

/** The options of a request of `client.http`, as far as they say what is sent. */
export interface RequestOptions {
  readonly body?: unknown;
  readonly headers?: HeadersInit | undefined;
  readonly params?: {
    readonly header?: Readonly<Record<string, string>> | undefined;
    readonly [place: string]: unknown;
  };
  readonly bodySerializer?: (body: unknown, headers?: Headers) => unknown;
  readonly [option: string]: unknown;
}

/** Media type in which a body can be encoded. */
export type BodyType = (typeof mediaTypes)[Exclude<keyof typeof mediaTypes, 'eventStream'>];

/** A request body as `Request` takes it, with the headers that it needs. */
export interface EncodedBody {
  readonly body: BodyInit;
  readonly headers: Readonly<Record<string, string>>;
  readonly duplex?: 'half';
}

/** Encodes a form or an object of a caller as the other methods do theirs; what already is a body stays unchanged. */
export async function encodeOptions(
  { bodySerializer, ...options }: RequestOptions,
  headers: Headers,
  settings: ClientSettings,
): Promise<RequestOptions> {
  const { body, params } = options;
  const kind = kindOf(body);
  if (!['Object', 'Array', 'FormData'].includes(kind)) return options;
  const value = kind === 'FormData' ? (body as FormData) : copyOf(body as object);
  const type = headers.get('content-type') ?? undefined;
  const encoded = await encodeBody(value, type, settings.streamsUploads);
  // Over those of the caller: in openapi-fetch these headers come last.
  const header = { ...params?.header, ...encoded.headers };
  return { ...options, ...encoded, headers: options.headers, params: { ...params, header } };
}

/**
 * `value` as a body: as it is asked for, or as MessagePack where it holds binary (base64 would cost a third more, and
 * some services refuse it) and as JSON where it does not. A `FormData` is a form with a boundary of ours.
 *
 * @param streams - Whether the runtime sends a stream with the length that is named. Then no part is copied.
 * @throws `RequestError` for a value that cannot be sent, naming the field.
 */
export async function encodeBody(
  value: object,
  contentType: string | undefined,
  streams: boolean,
): Promise<EncodedBody> {
  const isGivenForm = kindOf(value) === 'FormData';
  const hasBinary = holdsBinary(value);
  const wanted = contentType ?? (hasBinary ? mediaTypes.msgpack : mediaTypes.json);
  const isForm = isGivenForm || wanted.startsWith(mediaTypes.multipart);
  if (!isForm && wanted !== mediaTypes.msgpack) {
    if (hasBinary) {
      throw new RequestError(`body holds binary, which ${wanted} cannot carry`, { field: 'body' });
    }
    const isUrlencoded = wanted.startsWith(mediaTypes.urlencoded);
    const fields = [...fieldsOf(value)] as [string, string][];
    const body = isUrlencoded ? new URLSearchParams(fields).toString() : JSON.stringify(value);
    return { body, headers: { 'content-type': wanted } };
  }
  await requireReadable(value);
  const { type, parts, byteLength } = isForm
    ? encodeForm(isGivenForm ? (value as FormData) : fieldsOf(value))
    : { type: wanted, ...encodeRequest(value) };
  const headers = { 'content-type': type };
  if (!streams) return { body: new Blob([...parts]), headers };
  return {
    body: streamParts(parts, byteLength),
    headers: { ...headers, 'content-length': String(byteLength) },
    duplex: 'half',
  };
}

/**
 * The fields of a multipart or urlencoded form: an array as several of one name, never as a list joined by commas. Null
 * and undefined are left out, for a form cannot say null.
 */
function* fieldsOf(value: object): Generator<[name: string, value: string | Blob], void> {
  for (const [name, field] of Object.entries(value)) {
    for (const single of [field].flat()) {
      if (single === null || single === undefined) continue;
      yield [
        name,
        isBlob(single) ? single : isBinary(single) ? new Blob([single as BlobPart]) : String(single),
      ];
    }
  }
}

/** Refuses a file on disk that is no longer what was opened, before anything is sent. */
async function requireReadable(value: unknown, path: readonly string[] = []): Promise<void> {
  if (isBlob(value)) {
    try {
      await value.slice(0, 1).arrayBuffer();
    } catch (cause) {
      const field = path.join('.');
      const file = 'name' in value ? `the file ${value.name}` : 'a Blob';
      throw new RequestError(
        `${field} cannot be read: ${file} was changed after it was opened; open it again`,
        {
          field,
          cause,
        },
      );
    }
  } else if (typeof value === 'object' && value !== null && !isBinary(value)) {
    const fields = value instanceof FormData ? value : Object.entries(value);
    for (const [name, child] of fields) await requireReadable(child, [...path, name]);
  }
}

type Parts = readonly (Uint8Array<ArrayBuffer> | Blob)[];

/**
 * The body of a multipart form. It is not left to `fetch`: Node reads a FormData ahead of the connection, and a file that
 * cannot be read to its end, or an abort, then ends the process.
 */
function encodeForm(fields: Iterable<[string, string | Blob]>): {
  type: string;
  parts: Parts;
  byteLength: number;
} {
  const boundary = `form-${createTrace().traceId}`;
  const content: (string | Blob)[] = [];
  for (const [name, value] of fields) {
    content.push(`--${boundary}\r\ncontent-disposition: form-data; name="${escapeName(name)}"`);
    if (typeof value !== 'string') {
      const type = value.type || 'application/octet-stream';
      // Without a file name it would arrive as a text field.
      const fileName = escapeName((value as Partial<File>).name ?? name);
      content.push(`; filename="${fileName}"\r\ncontent-type: ${type}`);
    }
    content.push('\r\n\r\n', value, '\r\n');
  }
  const blob = new Blob([...content, `--${boundary}--\r\n`]);
  return { type: `${mediaTypes.multipart}; boundary=${boundary}`, parts: [blob], byteLength: blob.size };
}

/** A name that stands in quotes, escaped as the HTML standard says. */
const escapeName = (name: string): string => name.replace(/[\r\n"]/g, encodeURIComponent);

/** No more than this is handed to the connection at a time, so that an abort is not felt megabytes later. */
const pieceBytes = 256 * 1024;

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
