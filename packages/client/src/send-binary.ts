import { mediaTypes } from '@speech-api/types/constants';
import { isBinary, isBlob } from './copy.ts';
import { RequestError } from './errors.ts';
import { createTrace } from './trace.ts';

/** Refuses a file on disk that is no longer what was opened, before anything is sent. */
export async function requireReadable(value: unknown, path: readonly string[] = []): Promise<void> {
  if (isBlob(value)) {
    try {
      await value.slice(0, 1).arrayBuffer();
    } catch (cause) {
      const field = path.join('.');
      const file = 'name' in value ? `the file ${value.name}` : 'a Blob';
      throw new RequestError(
        `${field} cannot be read: ${file} was changed, moved or deleted after it was opened; open it again`,
        { field, cause },
      );
    }
  } else if (typeof value === 'object' && value !== null && !isBinary(value)) {
    for (const [name, child] of Object.entries(value)) await requireReadable(child, [...path, name]);
  }
}

type Parts = readonly (Uint8Array<ArrayBuffer> | Blob)[];

/**
 * The body of a multipart form. It is not left to `fetch`: Node reads a FormData ahead of the connection, and a file that
 * cannot be read to its end, or an abort, then ends the process.
 */
export function encodeForm(form: FormData): { type: string; parts: Parts; byteLength: number } {
  const boundary = `form-${createTrace().traceId}`;
  const content: (string | Blob)[] = [];
  for (const [name, value] of form) {
    content.push(`--${boundary}\r\ncontent-disposition: form-data; name="${escapeName(name)}"`);
    if (typeof value !== 'string') {
      const type = value.type || 'application/octet-stream';
      content.push(`; filename="${escapeName(value.name)}"\r\ncontent-type: ${type}`);
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
