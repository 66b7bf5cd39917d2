import type { Exchange } from './exchange.ts';

/** The address of the server in a transcript, which names none. */
export const nobody = 'http://transcript.invalid';

/** Words that introduce a key; they are safe to show. Any other word may be a part of the key. */
const schemes = ['bearer', 'basic', 'token', 'digest', 'apikey', 'api-key', 'key'];

/** The parts of the header. A value that names no known scheme is a key as a whole. */
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

/** The key an exchange was sent with, if it has one. A wrong one that is made of it is a secret too. */
export function keyOf(exchange: Exchange): string | undefined {
  const { headers } = exchange.kind === 'live' ? exchange.upgrade.request : exchange.request;
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const { key } = readAuthorization(authorization);
  return key === '' || key === wrongKey ? undefined : key;
}

/** Characters of a key that are a secret already: messages cut values off, and a server may say only a part. */
const partOfKey = 12;

/** Shorter keys are found in ordinary words. */
const shortestKey = 8;

/** True if a text contains the key: plain, percent-encoded, JSON-escaped, in base64 or in hexadecimal. */
export function showsKey(text: string, key: string): boolean {
  if (key.length < shortestKey) return false;
  const fromCode = (_all: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));
  const plain = text.replace(/%([0-9a-f]{2})/gi, fromCode).replace(/\\u([0-9a-f]{4})/gi, fromCode);
  return (
    [text, plain].some((each) => hasWord(each, key)) ||
    base64Of(key).some((code) => text.includes(code)) ||
    text.toLowerCase().includes(hexadecimalOf(key))
  );
}

/** A key inside a longer word is another word, such as the id of a user who has a similar name. */
function hasWord(text: string, key: string): boolean {
  const isLetter = (letter: string | undefined) => letter !== undefined && /[\w-]/.test(letter);
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + key.length])) return true;
  }
  return false;
}

function hexadecimalOf(key: string): string {
  return Buffer.from(key).toString('hex');
}

/** The letters of base64 that a key has wherever it begins within three bytes, without those that its neighbours change. */
function base64Of(key: string): readonly string[] {
  return ['base64', 'base64url'].flatMap((alphabet) =>
    [0, 1, 2].map((before) => {
      const code = Buffer.from('\0'.repeat(before) + key)
        .toString(alphabet as BufferEncoding)
        .replaceAll('=', '');
      return code.slice(before === 0 ? 0 : before + 1, (before + key.length) % 3 === 0 ? undefined : -1);
    }),
  );
}

/** No escapes, those of addresses, those of JSON, and both: a key may itself hold what looks like one of them. */
const escapes = [
  /(?!)/g,
  /%[\dA-Fa-f]{2}/g,
  /\\(?:u[\dA-Fa-f]{4}|["\\/bfnrt])/g,
  /%[\dA-Fa-f]{2}|\\(?:u[\dA-Fa-f]{4}|["\\/bfnrt])/g,
];

/** Text without the key or any long part of it: a server may repeat the key, and many people read reports. */
export function hideKey(text: string, key: string | undefined): string {
  // A key of a few letters also occurs in ordinary words, and is not used as a secret.
  if (key === undefined || key.length < 4) return text;
  const hexadecimal = hexadecimalOf(key);
  const coded = [...base64Of(key), hexadecimal, hexadecimal.toUpperCase()].filter(
    ({ length }) => length >= 6,
  );
  const uncoded = coded.reduce((left, code) => left.replaceAll(code, keyPlaceholder), text);
  // One letter a byte, since an escape may stand for one of several bytes of a letter.
  const [bytes, keyBytes] = [bytesOf(uncoded), bytesOf(key)];
  const pieces = escapes.flatMap((escaped) => piecesOf(keyBytes, readEscapes(bytes, escaped)));
  if (pieces.length === 0) return uncoded;
  let written = '';
  let done = 0;
  for (const { from, to } of pieces.sort((one, other) => one.from - other.from)) {
    if (from >= done) written += bytes.slice(done, from) + keyPlaceholder;
    done = Math.max(done, to);
  }
  return Buffer.from(written + bytes.slice(done), 'latin1').toString();
}

/** The bytes of a text, each as one letter. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** A text with its escapes undone. */
interface Read {
  readonly plain: string;
  /** Where each letter of it begins in the text, and the end of the text. */
  readonly starts: Uint32Array;
}

function readEscapes(text: string, escapes: RegExp): Read {
  const starts = new Uint32Array(text.length + 1);
  let plain = '';
  let position = 0;
  const copyTo = (end: number) => {
    for (let index = position; index < end; index += 1) starts[plain.length + index - position] = index;
    plain += text.slice(position, end);
  };
  for (const { 0: escaped, index: start } of text.matchAll(escapes)) {
    copyTo(start);
    const meant = escaped.startsWith('%')
      ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
      : bytesOf(JSON.parse(`"${escaped}"`));
    starts.fill(start, plain.length, plain.length + meant.length);
    plain += meant;
    position = start + escaped.length;
  }
  copyTo(text.length);
  starts[plain.length] = text.length;
  return { plain, starts };
}

/** The places of the key, and of any long part of it. */
function piecesOf(key: string, { plain, starts }: Read): { readonly from: number; readonly to: number }[] {
  const size = Math.min(partOfKey, key.length);
  const parts = new Set(
    Array.from({ length: key.length - size + 1 }, (_, start) => key.slice(start, start + size)),
  );
  const pieces: { readonly from: number; readonly to: number }[] = [];
  for (let position = 0; position < plain.length; position += 1) {
    if (!parts.has(plain.slice(position, position + size))) continue;
    const start = position;
    // As far as one part follows another, it is one piece of the key.
    while (parts.has(plain.slice(position + 1, position + 1 + size))) position += 1;
    position += size - 1;
    pieces.push({ from: starts[start] ?? 0, to: starts[position + 1] ?? 0 });
  }
  return pieces;
}
