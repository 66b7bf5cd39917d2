import busboy from 'busboy';
import { clip } from '../validate/words.ts';
import { DecodeFailure, type DecodeLimits, defaultDecodeLimits, malformed } from './failure.ts';

/** A file that came as a part of a form. */
export interface FilePart {
  readonly kind: 'file';
  /** The name the sender gave, without folders; empty when it gave none. */
  readonly fileName: string;
  /** The media type the sender claims. Never trusted. */
  readonly mediaType: string;
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
export function decodeMultipart(
  bytes: Uint8Array,
  contentType: string,
  limits: DecodeLimits = defaultDecodeLimits,
): Promise<FormEntry[]> {
  return new Promise((resolve, reject) => {
    const entries: FormEntry[] = [];
    const fail = (cause: unknown): void => {
      if (cause instanceof DecodeFailure) {
        reject(cause);
        return;
      }
      const reason = cause instanceof Error ? cause.message : String(cause);
      const last = entries.at(-1);
      const after = last ? `, after the field \`${last.name}\`` : '';
      reject(
        malformed('multipart_invalid', `The body cannot be read as multipart/form-data: ${reason}${after}.`),
      );
    };
    const tooMany = (): void => {
      fail(malformed('multipart_invalid', `The form has more than ${limits.formParts} parts.`));
    };

    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: { 'content-type': contentType },
        defParamCharset: 'utf8',
        limits: {
          fieldSize: bytes.length,
          fileSize: bytes.length,
          parts: limits.formParts,
          fields: limits.formParts,
          files: limits.formParts,
          headerPairs: 20,
        },
      });
    } catch (cause) {
      fail(cause);
      return;
    }

    // A part without a name reaches this code with `undefined`, whatever the types say.
    const accepted = (name: string | undefined): name is string => {
      if (name !== undefined && Buffer.byteLength(name) <= limits.fieldNameBytes) return true;
      const message = `A field name is missing or longer than ${limits.fieldNameBytes} bytes.`;
      fail(malformed('multipart_invalid', message));
      return false;
    };

    parser.on('field', (name, value) => {
      if (!accepted(name)) return;
      // Its decoder replaces what is not UTF-8; what it has not replaced is in the body as it is.
      if (
        value.includes('\uFFFD') &&
        !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(value)
      ) {
        fail(malformed('multipart_invalid', `\`${name}\` is not UTF-8 text.`, [name]));
        return;
      }
      entries.push({ name, value });
    });
    parser.on('file', (name, file, info) => {
      if (!accepted(name)) {
        file.resume();
        return;
      }
      const chunks: Buffer[] = [];
      // The place in the list is reserved at the start, which keeps the order of arrival.
      const index = entries.push({ name, value: '' }) - 1;
      file.on('data', (chunk: Buffer) => chunks.push(chunk));
      file.on('error', fail);
      file.on('close', () => {
        entries[index] = {
          name,
          value: {
            kind: 'file',
            fileName: info.filename ?? '',
            mediaType: info.mimeType,
            bytes: Buffer.concat(chunks),
          },
        };
      });
    });
    parser.on('partsLimit', tooMany);
    parser.on('fieldsLimit', tooMany);
    parser.on('filesLimit', tooMany);
    parser.on('error', fail);
    parser.on('close', () => resolve(entries));
    parser.end(bytes);
  });
}

/**
 * Decodes an `application/x-www-form-urlencoded` body, or the query of a URL.
 *
 * @param from `body` or `query`: where a failure is said to be
 * @throws {@link DecodeFailure} for a broken percent sequence, naming the field
 */
export function decodeUrlEncoded(
  text: string,
  limits: DecodeLimits = defaultDecodeLimits,
  from: 'body' | 'query' = 'body',
): FormEntry[] {
  const pairs = text === '' ? [] : text.split('&', limits.formParts + 1);
  if (pairs.length > limits.formParts) {
    throw malformed('urlencoded_invalid', `The ${from} has more than ${limits.formParts} fields.`);
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
