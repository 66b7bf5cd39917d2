import { type DecodeLimits, defaultDecodeLimits, describePath, malformed } from './failure.ts';

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
  const value: unknown = JSON.parse(text);
  if (/\\u[dD][89a-fA-F]/.test(text)) refuseLoneSurrogates(value, []);
  return value;
}

function readText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('json_invalid', 'The body cannot be read as JSON: it is not UTF-8 text.');
  }
}

function describePlace(text: string, position: number): string {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < position; end = text.indexOf('\n', lineStart)) {
    line += 1;
    lineStart = end + 1;
  }
  return `line ${line}, column ${position - lineStart + 1}`;
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
 * @returns the first problem, or `undefined` when the text is JSON
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
      const { end, fault } = scanString(text, position);
      if (fault !== undefined) return problem(fault, end);
      if (expected === 'name' || expected === 'name or }') {
        if (!frame?.names) return unexpected();
        const source = text.slice(position, end);
        const name = source.includes('\\') ? String(JSON.parse(source)) : source.slice(1, -1);
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

interface ScannedString {
  /** The index after the closing quote, or of the fault. */
  readonly end: number;
  readonly fault?: string;
}

const quote = 0x22;
const backslash = 0x5c;
const escapes = new Set([...'"\\/bfnrt'].map((each) => each.charCodeAt(0)));
const fourHexDigits = /[\da-fA-F]{4}/y;

/** By the codes of its characters: a search from quote to quote is slower by far when each of millions is escaped. */
function scanString(text: string, start: number): ScannedString {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) return { end: index + 1 };
    if (code < 0x20) {
      return { end: index, fault: 'has a control character in a string; write it as an escape such as \\n' };
    }
    if (code !== backslash) continue;
    index += 1;
    fourHexDigits.lastIndex = index + 1;
    if (text[index] === 'u' && fourHexDigits.test(text)) index += 4;
    else if (index < text.length && !escapes.has(text.charCodeAt(index))) {
      return { end: index, fault: 'has an unknown escape in a string' };
    }
  }
  return { end: text.length, fault: 'ends inside a string' };
}
