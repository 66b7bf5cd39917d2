import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, Refusal } from '@speech-api/server';
import { mediaTypeOfFile } from '../clips.ts';
import type { FileStore } from '../state/files.ts';

const folder = '/__sandbox/files/';

/** Gives files their addresses, as the caller of this request reaches the sandbox. */
export function keptFileUrl(host: string | undefined): (name: string) => string {
  return (name) => `http://${host ?? ''}${folder}${name}`;
}

/**
 * Answers recordings and pictures of voice models, whole or the part that is asked for. They have names that nobody can
 * guess and need no key: samples and covers are there to be played and shown by a page.
 *
 * @returns whether the request was for a file
 * @throws Refusal `foreign-host` or `foreign-origin` as for any call, `not-found`
 */
export async function answerKeptFile(
  files: FileStore,
  { request, response, origins }: Exchange,
): Promise<boolean> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  if ((request.method !== 'GET' && request.method !== 'HEAD') || !path.startsWith(folder)) return false;
  origins.checkHost(request.headersDistinct.host);
  origins.checkOrigin(request.headers.origin);
  const name = path.slice(folder.length);
  const bytes = await files.read(name);
  if (bytes === undefined) throw new Refusal('not-found', { message: 'There is no file of this name.' });
  // Somebody uploaded it: it must not run as a page of this address.
  response.setHeader('content-security-policy', "default-src 'none'; sandbox");
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cache-control', 'private');
  sendRange(request, response, { mediaType: mediaTypeOfFile(name), bytes });
  return true;
}

/** Sends bytes, or the one part of them that is asked for: a player jumps by asking for parts. A HEAD request gets the headers. */
export function sendRange(
  request: IncomingMessage,
  response: ServerResponse,
  { mediaType, bytes }: { readonly mediaType: string; readonly bytes: Uint8Array },
): void {
  const headers = { 'content-type': mediaType, 'accept-ranges': 'bytes' };
  const [, from = '', to = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(request.headers.range ?? '') ?? [];
  if (from === '') {
    response.writeHead(200, { ...headers, 'content-length': bytes.length });
    response.end(bytes);
    return;
  }
  const start = Number(from);
  const end = Math.min(to === '' ? Number.POSITIVE_INFINITY : Number(to), bytes.length - 1);
  if (start > end) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    return;
  }
  const part = bytes.subarray(start, end + 1);
  const range = `bytes ${start}-${end}/${bytes.length}`;
  response.writeHead(206, { ...headers, 'content-range': range, 'content-length': part.length });
  response.end(part);
}
