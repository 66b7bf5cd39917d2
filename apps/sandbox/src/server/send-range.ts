import type { IncomingMessage, ServerResponse } from 'node:http';

/** Sends bytes, or the one part of them that is asked for: a player jumps by asking for parts. */
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
