import { headerNames } from '@speech-api/types';
import type { Exchange } from '../exchange.ts';
import { keyPlaceholder, nobody } from '../key.ts';
import { isAboutTheKey } from '../specification/rules.ts';
import { isJsonType, mediaTypeOf } from '../subjects/answer.ts';

/** Bytes of a body that a command line still shows. */
const mostBodyBytes = 4_000;

/** Headers that a command shows. This is an allow-list, because a deny-list would one day miss a secret. */
const shownHeaders: readonly string[] = [
  'content-type',
  headerNames.model,
  headerNames.traceparent,
  'prefer',
];

/**
 * The request as a command line, in which the shell inserts the key, so that no report contains it. `undefined` where its
 * body is no text, too large or lost by the recording, and if its key was wrong on purpose.
 */
export function writeCurl(exchange: Exchange): string | undefined {
  if (exchange.kind === 'live' || isAboutTheKey(exchange.expectation)) return undefined;
  const { url, headers, body, decoded } = exchange.request;
  // Some recorders write methods in lower case.
  const method = exchange.request.method.toUpperCase();
  const words = ['curl', '-i', ...(method === 'GET' ? [] : ['-X', quote(method)]), address(url)];
  if (headers.authorization !== undefined) words.push('-H', `"authorization: Bearer ${keyPlaceholder}"`);
  for (const name of shownHeaders) {
    const value = headers[name];
    if (value !== undefined) words.push('-H', quote(`${name}: ${value}`));
  }
  const sent = body ?? (decoded === undefined ? undefined : Buffer.from(JSON.stringify(decoded)));
  if (sent === undefined || sent.length === 0) {
    // A recording may have lost the body; without it, the command would send something else.
    return headers['content-type'] === undefined ? words.join(' ') : undefined;
  }
  const text = sent.length > mostBodyBytes ? undefined : textOf(sent, headers['content-type']);
  return text === undefined ? undefined : [...words, '--data-raw', quote(text)].join(' ');
}

function textOf(body: Uint8Array, contentType: string | undefined): string | undefined {
  const mediaType = mediaTypeOf(contentType) ?? '';
  if (!isJsonType(mediaType) && mediaType !== 'application/x-www-form-urlencoded') return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** A transcript names no server, so the shell inserts its address. */
function address(url: string): string {
  return url.startsWith(`${nobody}/`) ? `"$SPEECH_BASE_URL"${quote(url.slice(nobody.length))}` : quote(url);
}

/** Between single quotes, a shell takes all characters literally. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
