import type { Exchange } from '../exchange/exchange.ts';

/** What stands where a key was. */
export const keyPlaceholder = '$SPEECH_API_KEY';

/** The key an exchange was sent with, if it has one. */
export function keyOf(exchange: Exchange): string | undefined {
  const { headers } = exchange.kind === 'live' ? exchange.upgrade.request : exchange.request;
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const key = authorization.replace(/^Bearer\s+/i, '').trim();
  return key === '' ? undefined : key;
}

/** Text without the key: a server may say it back, and reports are read by many. */
export function hideKey(text: string, key: string | undefined): string {
  // A key of a few letters stands in ordinary words too; nobody has such a secret.
  return key === undefined || key.length < 4 ? text : text.replaceAll(key, keyPlaceholder);
}
