import { isObject } from '../specification/document.ts';

/** The decoded body, or the reason why there is none. */
export type DecodedJson = { readonly value: unknown } | { readonly problem: string };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes one JSON value in UTF-8. */
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
  return { value };
}

/** Describes where it stops being JSON. The parser's own message may quote a part of a key. */
function describe({ message }: Error, text: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return `it is not JSON from character ${position} on`;
  return `it is not JSON: it begins with ${JSON.stringify(text.trimStart().charAt(0))}`;
}

/**
 * The first difference in shape between two values: in their names or their types. The values do not matter.
 *
 * Null matches anything, and an empty array matches any array: neither shows a shape.
 */
export function shapeDifference(one: unknown, other: unknown, pointer = ''): string | undefined {
  if (one === null || other === null) return undefined;
  const place = pointer === '' ? 'the body' : `\`${pointer}\``;
  if (kindOf(one) !== kindOf(other)) return `${place} is ${kindOf(one)} here and ${kindOf(other)} there`;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === 0 || other.length === 0
      ? undefined
      : shapeDifference(one[0], other[0], `${pointer}/0`);
  }
  if (!isObject(one) || !isObject(other)) return undefined;
  for (const name of Object.keys({ ...one, ...other })) {
    if (!(name in one) || !(name in other)) return `\`${pointer}/${name}\` is there only once`;
    const difference = shapeDifference(one[name], other[name], `${pointer}/${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'an array' : isObject(value) ? 'an object' : `a ${typeof value}`;
}
