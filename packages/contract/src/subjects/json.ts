import { isObject } from '../specification/document.ts';

/** The decoded body, or the reason why there is none. */
export type DecodedJson = { readonly value: unknown } | { readonly problem: string };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes one JSON value in UTF-8. A repeated name in an object is a problem: readers choose differently. */
export function decodeJson(bytes: Uint8Array): DecodedJson {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { problem: 'it is not UTF-8' };
  }
  return decodeJsonText(text);
}

export function decodeJsonText(text: string): DecodedJson {
  if (text.trim() === '') return { problem: 'it is empty' };
  if (text.startsWith('\ufeff'))
    return { problem: 'it begins with a byte order mark, which JSON does not allow' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: describe(error as Error, text) };
  }
  const twice = nameThatStandsTwice(text);
  return twice === undefined
    ? { value }
    : { problem: `the name ${JSON.stringify(twice)} occurs twice in one object` };
}

/** Describes where it stops being JSON. The parser's own message may quote a part of a key. */
function describe({ message }: Error, text: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return `it is not JSON from character ${position} on`;
  return `it is not JSON: it begins with ${JSON.stringify(text.trimStart().charAt(0))}`;
}

/** Walks over text that is known to be JSON. One pattern for whole strings would not survive one of some megabytes. */
function nameThatStandsTwice(text: string): string | undefined {
  const objects: (Set<string> | undefined)[] = [];
  const tokens = /["{}[\]]/g;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [sign] = token;
    if (sign === '{') objects.push(new Set());
    else if (sign === '[') objects.push(undefined);
    else if (sign !== '"') objects.pop();
    else {
      const end = endOfString(text, tokens.lastIndex);
      tokens.lastIndex = end;
      const names = objects.at(-1);
      if (names === undefined || !isFollowedByColon(text, end)) continue;
      const name = JSON.parse(text.slice(token.index, end)) as string;
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}

/** Behind the quote that ends a string: the first one that no backslash takes away. */
function endOfString(text: string, from: number): number {
  let position = from;
  for (;;) {
    const quote = text.indexOf('"', position);
    if (quote < 0) return text.length;
    let backslashes = 0;
    while (text.charAt(quote - 1 - backslashes) === '\\' && quote - 1 - backslashes >= from) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    position = quote + 1;
  }
}

function isFollowedByColon(text: string, position: number): boolean {
  let next = position;
  while (/[ \t\r\n]/.test(text.charAt(next))) next += 1;
  return text.charAt(next) === ':';
}

/** No answer of the contract is nearly as deep. */
const deepest = 100;

/**
 * The first difference in shape between two values: in their names or their types. The values do not matter.
 *
 * Null matches anything, and an empty array matches any array: neither shows a shape.
 */
export function shapeDifference(one: unknown, other: unknown, pointer = '', depth = 0): string | undefined {
  if (one === null || other === null || depth > deepest) return undefined;
  const place = pointer === '' ? 'the body' : `\`${pointer}\``;
  if (kindOf(one) !== kindOf(other)) return `${place} is ${kindOf(one)} here and ${kindOf(other)} there`;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === 0 || other.length === 0
      ? undefined
      : shapeDifference(one[0], other[0], `${pointer}/0`, depth + 1);
  }
  if (!isObject(one) || !isObject(other)) return undefined;
  for (const name of Object.keys({ ...one, ...other })) {
    if (!(name in one) || !(name in other)) return `\`${pointer}/${name}\` is there only once`;
    const difference = shapeDifference(one[name], other[name], `${pointer}/${name}`, depth + 1);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'an array' : isObject(value) ? 'an object' : `a ${typeof value}`;
}
