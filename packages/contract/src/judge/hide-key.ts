import type { Exchange } from '../exchange/exchange.ts';

/** What stands where a key was. */
export const keyPlaceholder = '$SPEECH_API_KEY';

/** The key an exchange was sent with, if it has one. One that is to be refused is none, and no secret. */
export function keyOf(exchange: Exchange): string | undefined {
  if (isSentWithNoKey(exchange)) return undefined;
  const { headers } = exchange.kind === 'live' ? exchange.upgrade.request : exchange.request;
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const key = authorization.replace(/^Bearer\s+/i, '').trim();
  return key === '' ? undefined : key;
}

/** The request was sent with something in place of a key, to see it refused. */
export function isSentWithNoKey({ expectation }: Exchange): boolean {
  return expectation?.outcome === 'refused' && expectation.refusals.includes('key-unknown');
}

/** Characters of a key that are a secret already: messages cut values off, and a server may say only a part. */
const partOfKey = 12;

/** Text without the key or any longer part of it: a server may say it back, and reports are read by many. */
export function hideKey(text: string, key: string | undefined): string {
  // A key of a few letters stands in ordinary words too; nobody has such a secret.
  if (key === undefined || key.length < 4) return text;
  const size = Math.min(partOfKey, key.length);
  const parts = new Set(
    Array.from({ length: key.length - size + 1 }, (_, start) => key.slice(start, start + size)),
  );
  let written = '';
  let position = 0;
  while (position < text.length) {
    if (!parts.has(text.slice(position, position + size))) {
      written += text.charAt(position);
      position += 1;
      continue;
    }
    // As far as one part follows another, it is one piece of the key.
    while (parts.has(text.slice(position, position + size))) position += 1;
    position += size - 1;
    written += keyPlaceholder;
  }
  return written;
}
