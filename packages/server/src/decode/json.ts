import { DecodeFailure, type DecodeLimits, defaultDecodeLimits, describePath, malformed } from './failure.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes a JSON body exactly as it was written: no coercion, no defaults.
 *
 * Refused: invalid UTF-8, invalid JSON, a name given twice in one object (which of the two was meant?), lone
 * surrogates (no UTF-8 answer could carry them), too deep a nesting, too many values.
 *
 * @throws {@link DecodeFailure} with the field and the line and column
 */
export function decodeJson(bytes: Uint8Array, limits: DecodeLimits = defaultDecodeLimits): unknown {
  const text = readText(bytes);
  if (text.trim() === '') {
    throw malformed('json_invalid', 'The body is empty where a JSON object is expected.');
  }
  const problem = scanJson(text, limits);
  if (problem) {
    const place = describePlace(text, problem.position);
    const field = problem.path.length > 0 ? `, in \`${describePath(problem.path)}\`` : '';
    throw malformed(
      'json_invalid',
      `The body cannot be read as JSON: it ${problem.message} (${place}${field}).`,
      problem.path,
      place,
    );
  }
  try {
    const value: unknown = JSON.parse(text);
    if (/\\u[dD][89a-fA-F]/.test(text)) refuseLoneSurrogates(value, []);
    return value;
  } catch (cause) {
    if (cause instanceof DecodeFailure) throw cause;
    const found = findStringProblem(text);
    const place = describePlace(text, found?.position ?? text.length);
    throw malformed(
      'json_invalid',
      `The body cannot be read as JSON: it ${found?.message ?? 'is broken'} (${place}).`,
      [],
      place,
    );
  }
}

function readText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('json_invalid', 'The body cannot be read as JSON: it is not UTF-8 text.');
  }
}

function describePlace(text: string, position: number): string {
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  return `line ${line}, column ${position - before.lastIndexOf('\n')}`;
}

/** Depth is bounded by the scan before, so the recursion is too. */
function refuseLoneSurrogates(value: unknown, path: readonly string[]): void {
  if (typeof value === 'string') {
    if (value.isWellFormed()) return;
    const field = describePath(path);
    throw malformed('json_invalid', `\`${field || 'body'}\` holds half of a surrogate pair.`, path);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    if (!name.isWellFormed()) throw malformed('json_invalid', 'A name holds half of a surrogate pair.', path);
    refuseLoneSurrogates(child, [...path, name]);
  }
}

/** What is wrong with a JSON text, and where. */
export interface JsonProblem {
  readonly message: string;
  /** Names and indexes from the root to the value in which it went wrong. */
  readonly path: readonly string[];
  /** UTF-16 index into the text. */
  readonly position: number;
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or }' | ', or ]' | 'the end';

interface Frame {
  readonly names: Set<string> | undefined;
  name: string;
  index: number;
}

const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;

/**
 * Walks JSON text without building anything, so that depth bombs, floods of values and repeated names are
 * refused before memory is spent on them, and so that a fault has a place: the engine's own parser often
 * reports neither position nor field.
 *
 * @returns the first problem, or `undefined` when the structure is sound. The inside of strings is left to
 * `JSON.parse`, which is many times faster at it; {@link findStringProblem} locates what it then rejects.
 */
export function scanJson(
  text: string,
  limits: Pick<DecodeLimits, 'depth' | 'values'>,
): JsonProblem | undefined {
  const frames: Frame[] = [];
  let frame: Frame | undefined;
  let expected: Expected = 'value';
  let position = 0;
  let values = 0;

  const problem = (message: string, at = position): JsonProblem => ({
    message,
    path: frames.map((each) => (each.names ? each.name : String(each.index))).filter((step) => step !== ''),
    position: at,
  });
  const unexpected = (): JsonProblem =>
    position >= text.length
      ? problem(`ends where ${expected === 'value' ? 'a value' : expected} is expected`)
      : problem(`has ${JSON.stringify(text[position])} where ${named(expected)} is expected`);
  const afterValue = (): Expected => (frame === undefined ? 'the end' : frame.names ? ', or }' : ', or ]');

  for (;;) {
    position = skipWhitespace(text, position);
    if (position >= text.length) return expected === 'the end' ? undefined : unexpected();
    const character = text[position];

    if (character === '"') {
      const end = endOfString(text, position);
      if (end < 0) return problem('ends inside a string', text.length);
      if (expected === 'name' || expected === 'name or }') {
        if (!frame?.names) return unexpected();
        const name = readName(text.slice(position, end));
        if (name === undefined) return problem('has a name that is not a valid string');
        frame.name = name;
        if (frame.names.has(name)) return problem(`gives \`${name}\` twice`);
        frame.names.add(name);
        expected = ':';
      } else if (expected === 'value' || expected === 'value or ]') {
        values += 1;
        expected = afterValue();
      } else return unexpected();
      position = end;
    } else if (character === '{' || character === '[') {
      if (expected !== 'value' && expected !== 'value or ]') return unexpected();
      values += 1;
      if (frames.length >= limits.depth) {
        return problem(`nests deeper than ${limits.depth} levels`);
      }
      frame = { names: character === '{' ? new Set() : undefined, name: '', index: 0 };
      frames.push(frame);
      expected = character === '{' ? 'name or }' : 'value or ]';
      position += 1;
    } else if (character === '}' || character === ']') {
      const closes = character === '}' ? [', or }', 'name or }'] : [', or ]', 'value or ]'];
      if (!closes.includes(expected)) return unexpected();
      frames.pop();
      frame = frames.at(-1);
      expected = afterValue();
      position += 1;
    } else if (character === ',') {
      if (frame === undefined || (expected !== ', or }' && expected !== ', or ]')) return unexpected();
      frame.index += 1;
      frame.name = '';
      expected = frame.names ? 'name' : 'value';
      position += 1;
    } else if (character === ':') {
      if (expected !== ':') return unexpected();
      expected = 'value';
      position += 1;
    } else {
      if (expected !== 'value' && expected !== 'value or ]') return unexpected();
      scalar.lastIndex = position;
      if (!scalar.test(text)) return unexpected();
      values += 1;
      position = scalar.lastIndex;
      expected = afterValue();
    }
    if (values > limits.values) return problem(`holds more than ${limits.values} values`);
  }
}

/** The first string that `JSON.parse` would reject: a raw control character or an unknown escape. */
export function findStringProblem(text: string): { position: number; message: string } | undefined {
  let position = 0;
  for (;;) {
    position = text.indexOf('"', position);
    if (position < 0) return undefined;
    const end = endOfString(text, position);
    if (end < 0) return undefined;
    for (let index = position + 1; index < end - 1; index += 1) {
      if (text.charCodeAt(index) < 0x20) {
        return {
          position: index,
          message: 'has a control character in a string; write it as an escape such as \\n',
        };
      }
      if (text[index] !== '\\') continue;
      index += 1;
      if (text[index] === 'u' && /^[\da-fA-F]{4}/.test(text.slice(index + 1, index + 5))) index += 4;
      else if (!'"\\/bfnrt'.includes(text[index] ?? ' ')) {
        return { position: index, message: 'has an unknown escape in a string' };
      }
    }
    position = end;
  }
}

function named(expected: Expected): string {
  return expected === 'value' || expected === 'name' ? `a ${expected}` : expected;
}

function skipWhitespace(text: string, from: number): number {
  let position = from;
  for (; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return position;
}

/** The index after the closing quote, or -1. A native search from quote to quote: audio in base64 is one long string. */
function endOfString(text: string, start: number): number {
  let quote = start;
  for (;;) {
    quote = text.indexOf('"', quote + 1);
    if (quote < 0) return -1;
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

function readName(source: string): string | undefined {
  if (!source.includes('\\')) return source.slice(1, -1);
  try {
    return JSON.parse(source) as string;
  } catch {
    return undefined;
  }
}
