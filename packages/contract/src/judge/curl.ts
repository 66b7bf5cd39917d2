import { isJsonType, mediaTypeOf } from '../answer/media-type.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { keyPlaceholder } from './hide-key.ts';

/** The address of the server in a transcript, which names none. */
export const nobody = 'http://transcript.invalid';

/** Bytes of a body that a command line still shows. */
const mostBodyBytes = 4_000;

/** Headers that a client writes itself. */
const unsaid = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'user-agent',
  'accept',
]);

/** The request as a command line; `undefined` where a shell can't write it, such as a body of bytes. */
export function writeCurl(exchange: Exchange): string | undefined {
  if (exchange.kind === 'live') return undefined;
  const { method, url, headers, body, decoded } = exchange.request;
  const words = ['curl', '-i', ...(method === 'GET' ? [] : ['-X', quote(method)]), address(url)];
  for (const [name, value] of Object.entries(headers)) {
    if (unsaid.has(name)) continue;
    // The shell puts the key in, so that it stands in no report.
    words.push(
      '-H',
      name === 'authorization' ? `"authorization: Bearer ${keyPlaceholder}"` : quote(`${name}: ${value}`),
    );
  }
  const sent = body ?? (decoded === undefined ? undefined : Buffer.from(JSON.stringify(decoded)));
  if (sent === undefined || sent.length === 0) {
    // A recording may have lost what was sent; without it the command would ask something else.
    return headers['content-type'] === undefined ? words.join(' ') : undefined;
  }
  const text = textOf(sent, headers['content-type']);
  return text === undefined ? undefined : [...words, '--data-raw', quote(text)].join(' ');
}

function textOf(body: Uint8Array, contentType: string | undefined): string | undefined {
  const mediaType = mediaTypeOf(contentType) ?? '';
  if (!isJsonType(mediaType) && mediaType !== 'application/x-www-form-urlencoded') return undefined;
  if (body.length > mostBodyBytes) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** A transcript names no server: the shell puts in its address. */
function address(url: string): string {
  return url.startsWith(`${nobody}/`) ? `"$SPEECH_BASE_URL"${quote(url.slice(nobody.length))}` : quote(url);
}

/** In single quotes a shell takes everything as it is. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
