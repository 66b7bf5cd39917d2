import { malformed } from './failure.ts';
import { BodyReader } from './reader.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes a JSON body exactly as it was written: no coercion, no defaults.
 *
 * Refused: invalid UTF-8, invalid JSON, a name given twice in one object, lone surrogates (no UTF-8 answer could carry
 * them), too deep a nesting, too many values.
 *
 * @throws {@link DecodeFailure} with the field and the line and column
 */
export function decodeJson(bytes: Uint8Array): unknown {
  const text = readText(bytes);
  if (text.trim() !== '') return new JsonReader(text).read();
  throw malformed('json_invalid', 'The body is empty where a JSON object is expected.');
}

function readText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('json_invalid', 'The body cannot be read as JSON: it is not UTF-8 text.');
  }
}

const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;

/** The engine's own parser has no limits, takes a name twice, and often says of a fault neither position nor field. */
class JsonReader extends BodyReader {
  protected readonly format = 'JSON';
  protected readonly type = 'json_invalid';
  readonly #text: string;
  /** What may stand at the position, in words. */
  #expected = 'a value';

  constructor(text: string) {
    super();
    this.#text = text;
  }

  read(): unknown {
    const value = this.value();
    if (this.#next() !== undefined) this.#refuseUnexpected('the end');
    return value;
  }

  protected placeOf(position: number): string {
    let line = 1;
    let lineStart = 0;
    for (let end = this.#text.indexOf('\n'); end >= 0 && end < position; ) {
      line += 1;
      lineStart = end + 1;
      end = this.#text.indexOf('\n', lineStart);
    }
    return `line ${line}, column ${position - lineStart + 1}`;
  }

  protected value(): unknown {
    const character = this.#next();
    const expected = this.#expected;
    this.#expected = 'a value';
    this.count();
    if (character === '{') return this.#object();
    if (character === '[') return this.#array();
    if (character === '"') return this.#string();
    const start = this.position;
    scalar.lastIndex = start;
    if (!scalar.test(this.#text)) this.#refuseUnexpected(expected);
    this.position = scalar.lastIndex;
    return JSON.parse(this.#text.slice(start, this.position));
  }

  #object(): Record<string, unknown> {
    const fields = new Map<string, unknown>();
    this.#open();
    while (!this.#closes('}', fields.size > 0)) {
      if (this.#next() !== '"') this.#refuseUnexpected(fields.size > 0 ? 'a name' : 'name or }');
      const start = this.position;
      const name = this.#string();
      this.enter(name);
      if (fields.has(name)) this.refuse(`gives \`${name}\` twice`, start);
      if (this.#next() !== ':') this.#refuseUnexpected(':');
      this.position += 1;
      fields.set(name, this.value());
    }
    return Object.fromEntries(fields);
  }

  #array(): unknown[] {
    const items: unknown[] = [];
    this.#open();
    while (!this.#closes(']', items.length > 0)) {
      if (items.length === 0) this.#expected = 'value or ]';
      this.enter(String(items.length));
      items.push(this.value());
    }
    return items;
  }

  #open(): void {
    this.open();
    this.position += 1;
  }

  /** Whether a list ends here; otherwise the comma before its next entry is passed. Only then is the entry before complete. */
  #closes(end: '}' | ']', hasEntries: boolean): boolean {
    const character = this.#next();
    const ends = character === end;
    if (hasEntries && !ends && character !== ',') this.#refuseUnexpected(`, or ${end}`);
    if (hasEntries) this.leave();
    if (ends || hasEntries) this.position += 1;
    return ends;
  }

  /** By the codes of its characters: a search from quote to quote is slower by far when each of millions is escaped. */
  #string(): string {
    const text = this.#text;
    const start = this.position;
    let isEscaped = false;
    for (let index = start + 1; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code === quote) {
        this.position = index + 1;
        return isEscaped ? this.#unescaped(start) : text.slice(start + 1, index);
      }
      if (code < 0x20) {
        this.refuse('has a control character in a string; write it as an escape such as \\n', index);
      }
      if (code !== backslash) continue;
      isEscaped = true;
      index += 1;
      fourHexDigits.lastIndex = index + 1;
      if (text[index] === 'u' && fourHexDigits.test(text)) index += 4;
      else if (index < text.length && !escapes.has(text.charCodeAt(index))) {
        this.refuse('has an unknown escape in a string', index);
      }
    }
    return this.refuse('ends inside a string', text.length);
  }

  #unescaped(start: number): string {
    const value: string = JSON.parse(this.#text.slice(start, this.position));
    if (!value.isWellFormed()) this.refuse('holds half of a surrogate pair', start);
    return value;
  }

  /** The next character that is no white space, where the reader then is; `undefined` at the end. */
  #next(): string | undefined {
    for (; this.position < this.#text.length; this.position += 1) {
      const code = this.#text.charCodeAt(this.position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    }
    return this.#text[this.position];
  }

  #refuseUnexpected(expected: string): never {
    const character = this.#next();
    if (character === undefined) this.refuse(`ends where ${expected} is expected`);
    return this.refuse(`has ${JSON.stringify(character)} where ${expected} is expected`);
  }
}

const quote = 0x22;
const backslash = 0x5c;
const escapes = new Set([...'"\\/bfnrt'].map((each) => each.charCodeAt(0)));
const fourHexDigits = /[\da-fA-F]{4}/y;
