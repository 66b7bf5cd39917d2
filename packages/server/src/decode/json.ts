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
  new JsonScanner(text, limits).scan();
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

const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;

/**
 * Walks JSON text without building anything, so that depth bombs, floods of values and repeated names are
 * refused before memory is spent on them, and so that a fault has a place: the engine's own parser often
 * reports neither position nor field. It calls itself once for each level, of which there are few.
 */
class JsonScanner {
  readonly #text: string;
  readonly #limits: Pick<DecodeLimits, 'depth' | 'values'>;
  /** Names and indexes from the root to the value that is looked at. */
  readonly #path: string[] = [];
  #position = 0;
  #depth = 0;
  #values = 0;

  constructor(text: string, limits: Pick<DecodeLimits, 'depth' | 'values'>) {
    this.#text = text;
    this.#limits = limits;
  }

  /** @throws DecodeFailure at the first place that is not JSON or is beyond a limit */
  scan(): void {
    this.#value('a value');
    if (this.#next() !== undefined) this.#refuseUnexpected('the end');
  }

  #value(expected: string): void {
    const character = this.#next();
    if (character === '{') this.#object();
    else if (character === '[') this.#array();
    else if (character === '"') this.#string();
    else {
      scalar.lastIndex = this.#position;
      if (!scalar.test(this.#text)) this.#refuseUnexpected(expected);
      this.#position = scalar.lastIndex;
    }
    this.#values += 1;
    const { values } = this.#limits;
    if (this.#values > values) this.#refuse(`holds more than ${values} values`);
  }

  #object(): void {
    const names = new Set<string>();
    this.#open();
    for (let expected = 'name or }'; !this.#closes('}', names.size > 0); expected = 'a name') {
      if (this.#next() !== '"') this.#refuseUnexpected(expected);
      const start = this.#position;
      this.#string();
      const source = this.#text.slice(start, this.#position);
      const name = source.includes('\\') ? String(JSON.parse(source)) : source.slice(1, -1);
      this.#path.push(name);
      if (names.has(name)) this.#refuse(`gives \`${name}\` twice`, start);
      names.add(name);
      if (this.#next() !== ':') this.#refuseUnexpected(':');
      this.#position += 1;
      this.#value('a value');
    }
  }

  #array(): void {
    this.#open();
    for (let index = 0; !this.#closes(']', index > 0); index += 1) {
      this.#path.push(String(index));
      this.#value(index === 0 ? 'value or ]' : 'a value');
    }
  }

  #open(): void {
    const { depth } = this.#limits;
    if (this.#depth >= depth) this.#refuse(`nests deeper than ${depth} levels`);
    this.#depth += 1;
    this.#position += 1;
  }

  /** Whether a list ends here; otherwise the comma before its next entry is passed. */
  #closes(end: '}' | ']', hasEntries: boolean): boolean {
    const character = this.#next();
    const ends = character === end;
    if (hasEntries && !ends && character !== ',') this.#refuseUnexpected(`, or ${end}`);
    if (hasEntries) this.#path.pop();
    if (ends || hasEntries) this.#position += 1;
    if (ends) this.#depth -= 1;
    return ends;
  }

  /** By the codes of its characters: a search from quote to quote is slower by far when each of millions is escaped. */
  #string(): void {
    const text = this.#text;
    for (let index = this.#position + 1; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code === quote) {
        this.#position = index + 1;
        return;
      }
      if (code < 0x20) {
        this.#refuse('has a control character in a string; write it as an escape such as \\n', index);
      }
      if (code !== backslash) continue;
      index += 1;
      fourHexDigits.lastIndex = index + 1;
      if (text[index] === 'u' && fourHexDigits.test(text)) index += 4;
      else if (index < text.length && !escapes.has(text.charCodeAt(index))) {
        this.#refuse('has an unknown escape in a string', index);
      }
    }
    this.#refuse('ends inside a string', text.length);
  }

  /** The next character that is no white space, where the scanner then is; `undefined` at the end. */
  #next(): string | undefined {
    for (; this.#position < this.#text.length; this.#position += 1) {
      const code = this.#text.charCodeAt(this.#position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    }
    return this.#text[this.#position];
  }

  #refuseUnexpected(expected: string): never {
    const character = this.#next();
    if (character === undefined) this.#refuse(`ends where ${expected} is expected`);
    this.#refuse(`has ${JSON.stringify(character)} where ${expected} is expected`);
  }

  #refuse(message: string, position = this.#position): never {
    const place = describePlace(this.#text, position);
    const field = this.#path.length > 0 ? `, in \`${describePath(this.#path)}\`` : '';
    const words = `The body cannot be read as JSON: it ${message} (${place}${field}).`;
    throw malformed('json_invalid', words, this.#path, place);
  }
}

const quote = 0x22;
const backslash = 0x5c;
const escapes = new Set([...'"\\/bfnrt'].map((each) => each.charCodeAt(0)));
const fourHexDigits = /[\da-fA-F]{4}/y;
