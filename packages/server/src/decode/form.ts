import busboy from 'busboy';
import { clip } from '../validate/words.ts';
import { DecodeFailure, decodeLimits, malformed } from './failure.ts';

const { formParts, fieldNameBytes } = decodeLimits;

/** A file that came as a part of a form. */
export interface FilePart {
  /** The name the sender gave, without folders; empty when it gave none. */
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** One field of a form, in the order of arrival; a name may come more than once. */
export interface FormEntry {
  readonly name: string;
  readonly value: string | FilePart;
}

/**
 * Decodes a `multipart/form-data` body.
 *
 * @param contentType the whole header, which carries the boundary
 * @throws {@link DecodeFailure} for a missing boundary, a body that breaks off, too many parts
 */
export async function decodeMultipart(bytes: Uint8Array, contentType: string): Promise<FormEntry[]> {
  const entries: FormEntry[] = [];
  try {
    await parse(entries, bytes, contentType);
    return entries;
  } catch (cause) {
    if (cause instanceof DecodeFailure) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const last = entries.at(-1);
    const after = last ? `, after the field \`${last.name}\`` : '';
    throw refused(`The body cannot be read as multipart/form-data: ${reason}${after}.`);
  }
}

function refused(message: string, path: readonly string[] = []): DecodeFailure {
  return malformed('multipart_invalid', message, path);
}

/** Notes the entries of a body in the order of arrival. */
function parse(entries: FormEntry[], bytes: Uint8Array, contentType: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sizes = { fieldSize: bytes.length, fileSize: bytes.length, headerPairs: 20 };
  const parser = busboy({
    headers: { 'content-type': contentType },
    defParamCharset: 'utf8',
    limits: { ...sizes, parts: formParts, fields: formParts, files: formParts },
  });
  // A part without a name reaches this code with `undefined`, whatever the types say.
  const checkName = (name: string | undefined): void => {
    if (name !== undefined && Buffer.byteLength(name) <= fieldNameBytes) return;
    reject(refused(`A field name is missing or longer than ${fieldNameBytes} bytes.`));
  };
  parser.on('field', (name, value) => {
    checkName(name);
    // Its decoder replaces what is not UTF-8; what it has not replaced is in the body as it is.
    const { buffer, byteOffset, byteLength } = bytes;
    if (value.includes('\uFFFD') && !Buffer.from(buffer, byteOffset, byteLength).includes(value)) {
      reject(refused(`\`${name}\` is not UTF-8 text.`, [name]));
    }
    entries.push({ name, value });
  });
  parser.on('file', (name, file, { filename }) => {
    checkName(name);
    const chunks: Buffer[] = [];
    // The place in the list is reserved at the start, which keeps the order of arrival.
    const index = entries.push({ name, value: '' }) - 1;
    file.on('data', (chunk: Buffer) => chunks.push(chunk));
    file.on('error', reject);
    file.on('close', () => {
      entries[index] = { name, value: { fileName: filename ?? '', bytes: Buffer.concat(chunks) } };
    });
  });
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
    parser.on(limit, () => reject(refused(`The form has more than ${formParts} parts.`)));
  }
  parser.on('error', reject);
  parser.on('close', resolve);
  parser.end(bytes);
  return promise;
}

/**
 * Decodes an `application/x-www-form-urlencoded` body, or the query of a URL.
 *
 * @param from `body` or `query`: where a failure is said to be
 * @throws {@link DecodeFailure} for a broken percent sequence, naming the field
 */
export function decodeUrlEncoded(text: string, from: 'body' | 'query' = 'body'): FormEntry[] {
  const pairs = text === '' ? [] : text.split('&', formParts + 1);
  if (pairs.length > formParts) {
    throw malformed('urlencoded_invalid', `The ${from} has more than ${formParts} fields.`);
  }
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.includes('=') ? pair.indexOf('=') : pair.length;
      const name = pair.slice(0, equals);
      try {
        return { name: plain(name), value: plain(pair.slice(equals + 1)) };
      } catch {
        // URLSearchParams would pass it through; a faithful decoder must not guess what was meant.
        const message = `The ${from} has a broken percent sequence in \`${clip(name)}\`.`;
        throw malformed('urlencoded_invalid', message, [name]);
      }
    });
}

/** A query or a form is ASCII. Byte by byte: a search through the text takes ten seconds for 60 MB of `+`. */
function plain(text: string): string {
  if (!text.includes('+')) return decodeURIComponent(text);
  const bytes = Buffer.from(text, 'latin1');
  for (let index = 0; index < bytes.length; index += 1) if (bytes[index] === 0x2b) bytes[index] = 0x20;
  return decodeURIComponent(bytes.toString('latin1'));
}
