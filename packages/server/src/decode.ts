import { MIMEType } from 'node:util';
import { decode } from '@msgpack/msgpack';
import { limits, mediaTypes } from '@speech-api/types';
import busboy from 'busboy';
import { Refusal } from './answer.ts';
import { isBytes } from './schema.ts';

/** Limits of one body. Every limit is finite, because requests are untrusted. */
export const decodeLimits = {
  bodyBytes: limits.requestBodyBytes,
  /** Maximum depth of arrays and objects: the deepest request of the interface has four levels. */
  depth: 32,
  /** Maximum values of a whole body, with those inside others. */
  values: limits.requestBodyValues,
  formParts: 1_000,
} as const;

/** One field of a form, in the order of arrival; a name may come more than once. */
export interface FormEntry {
  readonly name: string;
  /** The text, or a file with the name from its sender, without folders; empty if there was none. */
  readonly value: string | { readonly fileName: string; readonly bytes: Uint8Array };
}

/** A decoded body, and how it was written: a form has entries until a schema gives them their types. */
export type DecodedBody =
  | { readonly encoding: 'json' | 'msgpack'; readonly value: unknown }
  | { readonly encoding: 'form'; readonly entries: readonly FormEntry[] };

/**
 * Finds the media type of an operation that the `Content-Type` of a request names.
 *
 * @param header the header as it came; parameters such as the boundary are ignored, but a charset other than
 * UTF-8 and a content coding are not
 * @throws Refusal `media-type`, which names the media types that are accepted
 */
export function chooseMediaType<Accepted extends string>(
  header: string | undefined,
  accepted: readonly Accepted[],
  contentEncoding = 'identity',
): Accepted {
  const expected = accepted.join(' or ');
  const unsupported = (message: string) => new Refusal('media-type', { message });
  if (contentEncoding.toLowerCase() !== 'identity') {
    throw unsupported(`\`Content-Encoding: ${contentEncoding}\` is not accepted; send the body as it is.`);
  }
  if (header === undefined) throw unsupported(`The request has no \`Content-Type\`; send ${expected}.`);
  let parsed: MIMEType;
  try {
    parsed = new MIMEType(header);
  } catch {
    throw unsupported(`\`Content-Type: ${header}\` is not a media type; send ${expected}.`);
  }
  const mediaType = accepted.find((candidate) => candidate === parsed.essence);
  if (mediaType === undefined) {
    throw unsupported(`\`Content-Type: ${parsed.essence}\` is not accepted here; send ${expected}.`);
  }
  // The parts of a form have charsets of their own.
  if (mediaType === 'multipart/form-data') return mediaType;
  const charset = parsed.params.get('charset')?.toLowerCase() ?? 'utf-8';
  if (charset === 'utf-8' || charset === 'utf8') return mediaType;
  throw unsupported(`The charset ${charset} is not accepted; send UTF-8.`);
}

export interface BodySource {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Reads a whole body, and stops at the first byte beyond the limit: a body that declares its length is refused
 * before any of it is read, one that doesn't while it arrives.
 *
 * @param limit in bytes, inclusive
 * @throws Refusal `body-too-large`, or `malformed-body` when the sender left before the end
 */
export async function readBody(
  { headers, body }: BodySource,
  limit: number = decodeLimits.bodyBytes,
): Promise<Buffer> {
  const tooLarge = () =>
    new Refusal('body-too-large', { message: `The body is larger than ${limit} bytes.` });
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > limit) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    const message = `The connection closed after ${bytes} bytes of the body.`;
    throw malformed('body_cut', message, cause);
  }
  if (bytes > limit) throw tooLarge();
  return Buffer.concat(chunks);
}

/** @throws Refusal `malformed-body`, or `rule` for too many values or levels */
export async function decodeBody(
  bytes: Buffer,
  mediaType: string,
  contentType: string,
): Promise<DecodedBody> {
  switch (mediaType) {
    case mediaTypes.json:
      return { encoding: 'json', value: decodeJson(bytes) };
    case mediaTypes.msgpack:
      return { encoding: 'msgpack', value: decodeMessagePack(bytes) };
    case 'multipart/form-data':
      return { encoding: 'form', entries: await decodeMultipart(bytes, contentType) };
    case 'application/x-www-form-urlencoded':
      return { encoding: 'form', entries: decodeUrlEncoded(readText(bytes, 'urlencoded_invalid')) };
    default:
      throw new Error(`No decoder for the media type ${mediaType} that the document names.`);
  }
}

function decodeJson(bytes: Uint8Array): unknown {
  refuseManyValues(countJsonValues(bytes));
  const text = readText(bytes, 'json_invalid');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    // After the first comma, V8 quotes the body, which must not reach a log.
    const [reason = ''] = (cause as Error).message.split(', ');
    throw malformed('json_invalid', `The body cannot be read as JSON: ${reason}.`, cause);
  }
  return checkDepth(value);
}

/** Binary values are views into `bytes`, not copies. @throws Refusal `malformed-body`, or `rule` for too many values or levels */
export function decodeMessagePack(bytes: Uint8Array): unknown {
  const { bodyBytes, values } = decodeLimits;
  refuseManyValues(countMessagePackValues(bytes));
  let value: unknown;
  try {
    value = decode(bytes, {
      maxStrLength: bodyBytes,
      maxBinLength: bodyBytes,
      maxExtLength: bodyBytes,
      maxArrayLength: values,
      maxMapLength: values,
    });
  } catch (cause) {
    const message = `The body cannot be read as MessagePack: ${(cause as Error).message}.`;
    throw malformed('msgpack_invalid', message, cause);
  }
  return checkDepth(value);
}

/** Values are counted before they are decoded: those of a body of 64 MiB could take a hundred times its memory. */
function refuseManyValues(count: number): void {
  if (count <= decodeLimits.values) return;
  const advice = 'Send audio as base64 in JSON or as binary in MessagePack, not as a list of numbers.';
  throw new Refusal('rule', { message: `The body has more than ${decodeLimits.values} values. ${advice}` });
}

const quote = 0x22;
const backslash = 0x5c;
/** `,`, `[`, `{` */
const beforeValue: ReadonlySet<number> = new Set([0x2c, 0x5b, 0x7b]);

/** The values of a JSON text, an empty container as two; counted no further than the limit. */
function countJsonValues(bytes: Uint8Array): number {
  let count = 1;
  for (let place = 0; place < bytes.length && count <= decodeLimits.values; place += 1) {
    const byte = bytes[place] ?? 0;
    if (byte === quote) place = endOfString(bytes, place);
    else if (beforeValue.has(byte)) count += 1;
  }
  return count;
}

function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = start; ; ) {
    end = bytes.indexOf(quote, end + 1);
    if (end < 0) return bytes.length;
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

/** For the types c0 to df of MessagePack: the bytes of the length of a payload, and the other bytes after the type. */
const lengthBytes = [0, 0, 0, 0, 1, 2, 4, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4];
const otherBytes = [
  0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17, 0, 0, 0, 2, 4, 2, 4,
];

/** The values and names of a MessagePack body, counted no further than the limit. What a container holds follows it. */
function countMessagePackValues({ buffer, byteOffset, length }: Uint8Array): number {
  const bytes = Buffer.from(buffer, byteOffset, length);
  let count = 0;
  for (let place = 0; place < length && count <= decodeLimits.values; count += 1) {
    const type = bytes[place] ?? 0;
    place += 1;
    if (type >= 0xa0 && type < 0xc0) place += type & 0x1f;
    if (type < 0xc0 || type >= 0xe0) continue;
    const size = lengthBytes[type - 0xc0] ?? 0;
    const payload = size > 0 && place + size <= length ? bytes.readUIntBE(place, size) : 0;
    place += size + payload + (otherBytes[type - 0xc0] ?? 0);
  }
  return count;
}

/** @throws Refusal `rule` for values that the validator, which calls itself for each level, could not follow */
function checkDepth(value: unknown): unknown {
  if (!nestsDeeper(value, decodeLimits.depth)) return value;
  throw new Refusal('rule', { message: `The body is nested deeper than ${decodeLimits.depth} levels.` });
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || isBytes(value)) return false;
  return levels === 0 || Object.values(value).some((child) => nestsDeeper(child, levels - 1));
}

/** Media types of the parts of a form that are text. Any other is a file, also without a file name. */
const textPart = /^(?:text\/|application\/json$)/;

/** @throws Refusal `malformed-body` for a missing boundary, a body that breaks off, too many parts */
export async function decodeMultipart(bytes: Buffer, contentType: string): Promise<FormEntry[]> {
  const { entries, unnamedFiles } = await parseForm(bytes, contentType, 'utf8');
  if (unnamedFiles.size === 0) return entries;
  // The parser makes text of what has no file name. As Latin-1, text keeps each byte.
  const { entries: latin1 } = await parseForm(bytes, contentType, 'latin1');
  return entries.map((entry, index) => {
    if (!unnamedFiles.has(index)) return entry;
    const text = String(latin1[index]?.value);
    return { name: entry.name, value: { fileName: '', bytes: Buffer.from(text, 'latin1') } };
  });
}

interface ParsedForm {
  readonly entries: FormEntry[];
  /** Indexes of the entries that are files without a file name. */
  readonly unnamedFiles: ReadonlySet<number>;
}

/** @param defCharset - of the texts that name none */
function parseForm(bytes: Buffer, contentType: string, defCharset: string): Promise<ParsedForm> {
  return new Promise((resolve, reject) => {
    const refuse = (reason: string, cause?: unknown): void =>
      reject(malformed('multipart_invalid', `The body cannot be read as a form: ${reason}.`, cause));
    const entries: FormEntry[] = [];
    const unnamedFiles = new Set<number>();
    const { formParts } = decodeLimits;
    try {
      const parser = busboy({
        headers: { 'content-type': contentType },
        defParamCharset: 'utf8',
        defCharset,
        limits: { fieldSize: bytes.length, fileSize: bytes.length, parts: formParts },
      });
      parser.on('field', (name, value, { mimeType }) => {
        if (!textPart.test(mimeType)) unnamedFiles.add(entries.length);
        // The decoder replaces invalid UTF-8; a replacement character that was really sent is in the body too.
        else if (value.includes('\uFFFD') && !bytes.includes(value)) refuse(`\`${name}\` is not UTF-8 text`);
        entries.push({ name, value });
      });
      parser.on('file', (name, file, { filename }) => {
        const chunks: Buffer[] = [];
        // The place in the list is reserved at the start of each file, which keeps the order of arrival.
        const index = entries.push({ name, value: '' }) - 1;
        file.on('data', (chunk: Buffer) => chunks.push(chunk));
        file.on('error', (error) => refuse(error.message, error));
        file.on('close', () => {
          entries[index] = { name, value: { fileName: filename ?? '', bytes: Buffer.concat(chunks) } };
        });
      });
      parser.on('partsLimit', () => refuse(`it has more than ${formParts} parts`));
      parser.on('error', (error) => refuse((error as Error).message, error));
      parser.on('close', () => {
        // Despite its types, the library passes `undefined` for a part without a name.
        if (entries.some(({ name }) => name === undefined)) refuse('a part has no name');
        resolve({ entries, unnamedFiles });
      });
      parser.end(bytes);
    } catch (error) {
      refuse((error as Error).message, error);
    }
  });
}

/** Decodes a form in a body, or the query of a URL. @throws Refusal `malformed-body` for too many fields */
export function decodeUrlEncoded(text: string): FormEntry[] {
  const { formParts } = decodeLimits;
  // Only the first of these parts can be empty, and the last.
  if (text.split(/&+/, formParts + 2).filter((part) => part !== '').length > formParts) {
    throw malformed('urlencoded_invalid', `There are more than ${formParts} fields.`);
  }
  return Array.from(new URLSearchParams(text), ([name, value]) => ({ name, value }));
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readText(bytes: Uint8Array, type: string): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw malformed(type, 'The body is not UTF-8 text.', cause);
  }
}

/** @param type the kind of malformed body, as the validation list names it */
function malformed(type: string, message: string, cause?: unknown): Refusal {
  return new Refusal('malformed-body', {
    message,
    issues: [{ loc: ['body'], type, msg: message, ctx: '' }],
    cause,
  });
}
