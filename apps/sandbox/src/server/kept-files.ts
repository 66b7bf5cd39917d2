import type { IncomingMessage, ServerResponse } from 'node:http';
import { type OriginPolicy, Refusal } from '@speech-api/server';
import { mediaTypeOfFile } from '../clips.ts';
import type { FileStore } from '../state/files.ts';

const folder = '/__sandbox/files/';

/** Gives files their addresses, as the caller of this request reaches the sandbox. */
export function keptFileUrl(host: string | undefined): (name: string) => string {
  return (name) => `http://${host ?? ''}${folder}${name}`;
}

/**
 * Answers recordings and pictures of voice models. They have names that nobody can guess and need no key: samples and
 * covers are there to be played and shown by a page.
 *
 * @returns whether the request was for a file
 * @throws Refusal `foreign-host` or `foreign-origin` as for any call, `not-found`
 */
export async function answerKeptFile(
  { origins, files }: { readonly origins: OriginPolicy; readonly files: FileStore },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  if (request.method !== 'GET' || !path.startsWith(folder)) return false;
  origins.checkHost(request.headers.host);
  origins.checkOrigin(request.headers.origin);
  const name = path.slice(folder.length);
  const bytes = await files.read(name);
  if (bytes === undefined) throw new Refusal('not-found', { message: 'There is no file of this name.' });
  response.writeHead(200, {
    'content-type': mediaTypeOfFile(name) ?? 'application/octet-stream',
    'content-length': bytes.length,
    // Somebody uploaded it: it must not run as a page of this address.
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private',
  });
  response.end(bytes);
  return true;
}
