import { asPart, type BinaryValue, encodeRequest, isBinary, isBlob } from '@speech-api/msgpack';
import { joinPieces } from '@speech-api/streaming/pieces';
import { mediaTypes } from '@speech-api/types/constants';
import { RequestError } from '../errors.ts';
import { randomHex } from '../trace.ts';

/** Media type in which a body can be encoded. */
export type BodyType = (typeof mediaTypes)[Exclude<keyof typeof mediaTypes, 'eventStream'>];

type Parts = (Uint8Array<ArrayBuffer> | Blob)[];

/** A request body, encoded when its call is made. */
export interface EncodedBody {
  readonly contentType: string;
  /** JSON or an urlencoded form as text; MessagePack or a multipart form as parts, of which none is copied; or bytes. */
  readonly content: string | Uint8Array<ArrayBuffer> | Parts;
  readonly byteLength: number;
}

/**
 * Encodes an object or a `FormData`: in the requested media type, or as MessagePack if it holds binary (base64
 * would cost a third more, and some services refuse it) and otherwise as JSON.
 *
 * @throws `RequestError` for a value that no encoding carries, naming the field.
 */
export function encode(value: object, contentType?: string): EncodedBody {
  const isFormData = kindOf(value) === 'FormData';
  const hasBinary = inspect(value, '');
  const type = contentType ?? (hasBinary ? mediaTypes.msgpack : mediaTypes.json);
  if (isFormData || type.startsWith(mediaTypes.multipart)) {
    return encodeForm(fieldsOf(value));
  }
  if (type === mediaTypes.msgpack) {
    const { parts, byteLength } = encodeRequest(value);
    return { contentType: type, content: [...parts], byteLength };
  }
  if (hasBinary) throw new RequestError(`body holds binary, which ${type} cannot carry`, { field: 'body' });
  const content = type.startsWith(mediaTypes.urlencoded)
    ? new URLSearchParams([...fieldsOf(value)] as [string, string][]).toString()
    : JSON.stringify(value);
  return { contentType: type, content, byteLength: content.length };
}

const maximumDepth = 100;

/** Refuses what no encoding carries. Returns true if there is binary at any depth. */
function inspect(value: unknown, field: string, depth = 0): boolean {
  if (depth > maximumDepth) refuse('', 'is too deep, or holds itself');
  if (value === null || value === undefined || typeof value === 'boolean') return false;
  if (typeof value === 'string') {
    if (/\p{Surrogate}/u.test(value)) refuse(field, 'holds half a character');
    return false;
  }
  if (typeof value !== 'object') {
    if (!Number.isFinite(value)) refuse(field, `cannot be ${describe(value)}`);
    return false;
  }
  if (isBinary(value)) return true;
  const kind = refuseUnread(value, field);
  let hasBinary = false;
  for (const [name, child] of kind === 'FormData' ? (value as FormData) : Object.entries(value)) {
    if (inspect(child, field ? `${field}.${name}` : name, depth + 1)) hasBinary = true;
  }
  return hasBinary;
}

/** Refuses an object that is neither binary nor data, with what to do first. Returns the kind of data. */
export function refuseUnread(value: object, field: string): string {
  if (Symbol.asyncIterator in value || 'getReader' in value) {
    refuse(field, 'cannot be a stream; read it to its end first: await readAudio(stream)');
  }
  const kind = kindOf(value);
  if (['Object', 'Array', 'FormData'].includes(kind)) return kind;
  const remedies: Record<string, string> = {
    Promise: '; await it first',
    Response: '; read it first: await readAudio(response)',
  };
  return refuse(field, `cannot be a ${kind}${remedies[kind] ?? ''}`);
}

function refuse(field: string, reason: string): never {
  throw new RequestError(`${field || 'body'} ${reason}`, { field: field || 'body' });
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${typeof value}`;
}

/** The name of a type: `Object`, `Array`, `Blob` and so on, also of an object from another realm, such as that of Jest. */
export function kindOf(value: unknown): string {
  // Cloudflare's workers of before September 2024 name these four `Object`.
  const scope = globalThis as unknown as Record<string, (new () => object) | undefined>;
  const platformType = ['Blob', 'FormData', 'URL', 'Response'].find(
    (name) => scope[name] && value instanceof scope[name],
  );
  return platformType ?? Object.prototype.toString.call(value).slice(8, -1);
}

/**
 * The fields of a form: an array becomes several fields of one name, never a list joined by commas. Null and undefined are left
 * out, for a form cannot say null.
 */
function* fieldsOf(value: object): Generator<[name: string, value: string | BinaryValue], void> {
  for (const [name, field] of value instanceof FormData ? value : Object.entries(value)) {
    for (const single of [field].flat()) {
      if (single === null || single === undefined) continue;
      yield [name, isBinary(single) ? single : String(single)];
    }
  }
}

/**
 * The body of a multipart form. It is not left to `fetch`: Node reads a FormData ahead of the connection, and a file that
 * cannot be read to its end, or an abort, then ends the process.
 */
function encodeForm(fields: Iterable<[string, string | BinaryValue]>): EncodedBody {
  const boundary = `form-${randomHex(16)}`;
  const encoder = new TextEncoder();
  const parts: (Uint8Array<ArrayBuffer> | Blob)[] = [];
  let text = '';
  for (const [name, value] of fields) {
    text += `--${boundary}\r\ncontent-disposition: form-data; name="${escapeName(name)}"`;
    if (typeof value === 'string') {
      text += `\r\n\r\n${value}\r\n`;
      continue;
    }
    const { name: fileName = name, type } = value as Partial<File>;
    // Without a file name it would arrive as a text field.
    text += `; filename="${escapeName(fileName)}"\r\ncontent-type: ${type || 'application/octet-stream'}\r\n\r\n`;
    parts.push(encoder.encode(text), asPart(value));
    text = '\r\n';
  }
  parts.push(encoder.encode(`${text}--${boundary}--\r\n`));
  const byteLength = parts.reduce((sum, part) => sum + (isBlob(part) ? part.size : part.length), 0);
  return { contentType: `${mediaTypes.multipart}; boundary=${boundary}`, content: parts, byteLength };
}

/** A quoted name, escaped as the HTML standard says. */
const escapeName = (name: string): string => name.replace(/[\r\n"]/g, encodeURIComponent);

/**
 * A body for one try of `fetch`: a text, or one array of bytes; to Node's own `fetch` a stream over the memory of the
 * parts, which is the only one that sends a stream with a length.
 */
export async function bodyFor(
  { content, byteLength }: EncodedBody,
  streams: boolean,
): Promise<string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  if (!Array.isArray(content)) return content;
  return streams ? streamParts(content, byteLength) : joinParts(content, byteLength);
}

/**
 * The parts in one array. Each is read by itself, because Bun leaves out files where a Blob is made of them.
 *
 * @throws `RequestError` if there are not as many bytes as announced
 */
export async function joinParts(
  parts: Iterable<Uint8Array | Blob>,
  byteLength: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces = await Promise.all([...parts].map((part) => (isBlob(part) ? readBlob(part) : part)));
  const body = joinPieces(pieces);
  if (body.length === byteLength) return body;
  const words = `the body has ${body.length} bytes in place of ${byteLength}: a file is not whole`;
  throw new RequestError(words, { field: 'body' });
}

async function readBlob(blob: Blob): Promise<Uint8Array> {
  // The pages of jsdom and React Native have a Blob that only their FileReader can read.
  if (blob.arrayBuffer) return new Uint8Array(await blob.arrayBuffer());
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(new Uint8Array(reader.result as ArrayBuffer));
    reader.onerror = () => reject(reader.error);
    reader.readAsArrayBuffer(blob);
  });
}

/** Larger pieces are split, so that an abort does not wait for megabytes. */
const pieceBytes = 256 * 1024;

function streamParts(parts: Parts, byteLength: number): ReadableStream<Uint8Array> {
  const pieces = readParts(parts);
  let remainingBytes = byteLength;
  return new ReadableStream(
    {
      async pull(controller) {
        const { value } = await pieces.next();
        if (value) controller.enqueue(value);
        remainingBytes -= value?.length ?? remainingBytes;
        // With the last piece and not after it: a service that has its bytes answers at once, and a fetch that is
        // still asking for more takes that for a refusal.
        if (remainingBytes <= 0) controller.close();
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
    if (isBlob(part)) {
      yield* part.stream();
      continue;
    }
    for (let begin = 0; begin < part.length; begin += pieceBytes) {
      yield part.subarray(begin, begin + pieceBytes);
    }
  }
}
