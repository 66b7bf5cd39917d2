import type { Exchange } from './exchange.ts';

/** A placeholder address for transcripts, which name no server. */
export const nobody = 'http://transcript.invalid';

/** Authorization schemes that are safe to show. Any other word may be part of a key. */
const schemes = ['bearer', 'basic', 'token', 'digest', 'apikey', 'api-key', 'key'];

/** The parts of the header. Without a known scheme, the whole value is the key. */
export function readAuthorization(value: string): { scheme: string; gap: string; key: string } {
  const [, scheme = '', gap = '', key = ''] = /^(\S*)(\s*)(.*)$/s.exec(value) ?? [];
  return schemes.includes(scheme.toLowerCase())
    ? { scheme, gap, key: key.trim() }
    : { scheme: '', gap: '', key: value.trim() };
}

/** Replaces a key. */
export const keyPlaceholder = '$SPEECH_API_KEY';

/** A key that no server has issued. Its text says that it is fake. */
export const wrongKey = 'speech-contract-no-such-key';

/** The key of an exchange, if it has one. A wrong key derived from the real one is secret too. */
export function keyOf(exchange: Exchange): string | undefined {
  const { headers } = exchange.kind === 'live' ? exchange.upgrade.request : exchange.request;
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const { key } = readAuthorization(authorization);
  return key === '' || key === wrongKey ? undefined : key;
}

/** Number of consecutive characters that already reveal a key: servers may truncate the value they echo. */
const partOfKey = 12;

/** Shorter keys occur in ordinary words, so they are not masked. */
const shortestKey = 8;

/** True if a text contains the key: plain, escaped as in addresses or in JSON, in base64 or in hexadecimal. */
export function showsKey(text: string, key: string): boolean {
  if (key.length < shortestKey) return false;
  // A key inside a longer word is a coincidence, such as the id of a user with a similar name.
  const alone = new RegExp(`(?<![\\w-])${[...key].map(anyFormOf).join('')}(?![\\w-])`, 'i');
  return alone.test(text) || codesOf(key).some((code) => text.includes(code));
}

/** The key in hexadecimal, and in base64 at each of the three possible offsets. */
function codesOf(key: string): readonly string[] {
  const hexadecimal = Buffer.from(key).toString('hex');
  const inBase64 = (['base64', 'base64url'] as const).flatMap((alphabet) =>
    [0, 1, 2].map((before) => {
      const code = Buffer.from('\0'.repeat(before) + key)
        .toString(alphabet)
        .replaceAll('=', '');
      // Characters that depend on neighbouring bytes are left out.
      return code.slice(before === 0 ? 0 : before + 1, (before + key.length) % 3 === 0 ? undefined : -1);
    }),
  );
  return [...inBase64, hexadecimal, hexadecimal.toUpperCase()];
}

/** A letter as it is, or escaped: `%2f`, `\\u002f`, `\\/`. */
function anyFormOf(letter: string): string {
  const code = letter.charCodeAt(0).toString(16).padStart(2, '0');
  const plain = letter.replace(/[^\w]/, '\\$&');
  return `(?:\\\\?${plain}|%${code}|\\\\u00${code})`;
}

/** Text without the key or any long part of it: a server may repeat the key, and many people read reports. */
export function hideKey(text: string, key: string): string {
  return hideKeys(text, [key]);
}

/** Any part of the key that has at least {@link partOfKey} letters. */
function partsOf(key: string): RegExp {
  const forms = [...key].map(anyFormOf);
  const size = Math.min(partOfKey, forms.length);
  const parts = Array.from({ length: forms.length - size + 1 }, (_, start) => {
    const rest = forms.slice(start + size).reduceRight((tail, form) => `(?:${form}${tail})?`, '');
    return forms.slice(start, start + size).join('') + rest;
  });
  return new RegExp(parts.join('|'), 'gi');
}

/** A copy of a value in which every text is free of the keys. */
export function hideKeys<Value>(value: Value, keys: readonly string[]): Value {
  const secrets = keys.filter(({ length }) => length >= 4).flatMap((key) => [...codesOf(key), partsOf(key)]);
  const hide = (inner: unknown): unknown => {
    if (typeof inner === 'string')
      return secrets.reduce<string>((text, secret) => text.replaceAll(secret, keyPlaceholder), inner);
    if (Array.isArray(inner)) return inner.map(hide);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, item]) => [hide(name), hide(item)]));
  };
  return hide(value) as Value;
}
