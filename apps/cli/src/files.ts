import { readFile, stat } from 'node:fs/promises';
import { UsageError } from './usage.ts';

/** All of stdin. */
export async function readStandardInput(maximumBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of process.stdin) {
    const bytes = Buffer.from(piece);
    pieces.push(bytes);
    length += bytes.length;
    if (length > maximumBytes)
      throw new UsageError(`stdin is larger than ${maximumBytes} bytes; pass a file instead.`);
  }
  return Buffer.concat(pieces);
}

export async function readTextFile(path: string, maximumBytes: number): Promise<string> {
  const { size } = await stat(path);
  if (size > maximumBytes) throw new UsageError(`${path} is ${size} bytes; the limit is ${maximumBytes}.`);
  return decodeText(await readFile(path), path);
}

/** @throws UsageError for bytes that are not UTF-8 */
export function decodeText(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${source} is not text in UTF-8. Save it as plain text in this encoding.`);
  }
}

/** @throws UsageError where there is no such file */
export async function expectFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new UsageError(`There is no file ${path}.`);
  if (!found.isFile())
    throw new UsageError(`${path} is not a file${found.isDirectory() ? ', but a folder' : ''}.`);
}
