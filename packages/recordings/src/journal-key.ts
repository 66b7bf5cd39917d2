import { joinBytes } from '@speech-api/audio';

/** Bytes that are digested at once, because a digest copies them. */
const blockBytes = 1024 * 1024;

/**
 * The key of a part in a journal: everything that changes the answer. Audio counts by its bytes, headers count in any order.
 *
 * @param request - what the part is sent with, and the service that gets it
 */
export function keyOf({
  headers = {},
  ...request
}: {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly [field: string]: unknown;
}): Promise<string> {
  const contents: (Blob | Uint8Array)[] = [];
  const text = JSON.stringify(
    { ...request, headers: Object.entries(headers).sort() },
    (_name, value: unknown) => {
      if (value instanceof Blob) return contents.push(value);
      if (value instanceof ArrayBuffer) return contents.push(new Uint8Array(value));
      if (ArrayBuffer.isView(value))
        return contents.push(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
      return value;
    },
  );
  return hexDigest([new Blob([text]), ...contents]);
}

/** One SHA-256 over several contents, in hexadecimal digits. */
async function hexDigest(contents: readonly (Blob | Uint8Array)[]): Promise<string> {
  const hashes: Uint8Array[] = [];
  const block = new Uint8Array(blockBytes);
  for (const content of contents) {
    const bytes = content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;
    for (let start = 0; start === 0 || start < bytes.length; start += blockBytes) {
      const piece = bytes.subarray(start, start + blockBytes);
      block.set(piece);
      hashes.push(new Uint8Array(await crypto.subtle.digest('SHA-256', block.subarray(0, piece.length))));
    }
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', joinBytes(hashes)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
