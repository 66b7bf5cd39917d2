/** What a body says, or why it says nothing. */
export type DecodedJson = { readonly value: unknown } | { readonly problem: string };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes one JSON value in UTF-8. A name that stands twice in an object is a problem: readers differ in which they take. */
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
    : { problem: `the name ${JSON.stringify(twice)} stands twice in one object` };
}

/** Where it stops being JSON. The parser's own words hold a piece of the body, which may hold a piece of a key. */
function describe({ message }: Error, text: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return `it is no JSON from character ${position} on`;
  return `it is no JSON: it begins with ${JSON.stringify(text.trimStart().charAt(0))}`;
}

/** Walks over text that is known to be JSON. */
function nameThatStandsTwice(text: string): string | undefined {
  const objects: (Set<string> | undefined)[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [word] = token;
    if (word === '{') objects.push(new Set());
    else if (word === '[') objects.push(undefined);
    else if (word === '}' || word === ']') objects.pop();
    else {
      const names = objects.at(-1);
      if (names === undefined || !isFollowedByColon(text, tokens.lastIndex)) continue;
      const name = JSON.parse(word) as string;
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}

function isFollowedByColon(text: string, position: number): boolean {
  let next = position;
  while (/[ \t\r\n]/.test(text.charAt(next))) next += 1;
  return text.charAt(next) === ':';
}
