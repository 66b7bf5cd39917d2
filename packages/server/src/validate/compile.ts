import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describePath } from '../decode/failure.ts';
import type { OpenApiDocument, Schema } from '../spec/document.ts';

/** Compiles schemas of one document. */
export interface SchemaCompiler {
  /** A schema that is part of the document, or is made of parts of it. */
  compile(schema: Schema): CompiledSchema;
}

/**
 * Validates a value.
 *
 * @param form `json` if binary fields are base64 text, `raw` if bytes were taken out beforehand
 */
export type CompiledSchema = (value: unknown, form: 'json' | 'raw') => SchemaVerdict;

export interface SchemaVerdict {
  readonly errors: readonly ErrorObject[];
  /** JSON pointers of the values that the schema takes for binary. */
  readonly binaries: ReadonlySet<string>;
}

const documentId = 'speech:document';

/**
 * Makes a compiler. Each schema is compiled on first use, and those it refers to only once.
 *
 * A value is judged up to its first error; only an invalid one is judged for all its errors, and then without what a long
 * body repeats: gathering the errors of a hundred thousand items takes Ajv many seconds.
 *
 * The keyword `x-binary` notes where bytes belong and, for JSON, checks that they are base64.
 */
export function createSchemaCompiler(document: OpenApiDocument): SchemaCompiler {
  const components = absolute(document.components);
  const state: BinaryState = { form: 'json', binaries: new Set() };
  const first = createAjv(components, state, false);
  let all: Ajv2020 | undefined;
  const known = propertyNames(document.components);

  return {
    compile(schema) {
      const whole = absolute(schema) as Schema;
      const validate = first.compile(whole);
      let explain: ValidateFunction | undefined;
      const errorsOf = (value: unknown): readonly ErrorObject[] => {
        if (validate(value)) return [];
        const found = validate.errors ?? [];
        all ??= createAjv(components, state, true);
        explain ??= all.compile(whole);
        // Valid without its end: the first error comes after the part that was checked.
        return explain(shortened(value, known)) ? found : (explain.errors ?? found);
      };
      return (value, form) => {
        state.form = form;
        state.binaries = new Set();
        const errors = errorsOf(value);
        return { errors, binaries: state.binaries };
      };
    },
  };
}

/** State of the keyword `x-binary` during one validation. */
interface BinaryState {
  form: 'json' | 'raw';
  binaries: Set<string>;
}

function createAjv(components: unknown, state: BinaryState, allErrors: boolean): Ajv2020 {
  // The document's own annotations (`x-`, `example`) are not JSON Schema keywords; its lint has checked them.
  const ajv = new Ajv2020({
    allErrors,
    strict: false,
    strictNumbers: true,
    verbose: true,
    validateSchema: false,
  });
  addFormats.default(ajv);
  ajv.addFormat('binary', true);
  const checkBinary = Object.assign(
    (
      isBinary: boolean,
      data: unknown,
      schema: unknown,
      place?: { readonly instancePath: string },
    ): boolean => {
      checkBinary.errors = [];
      if (!isBinary) return true;
      if (typeof data !== 'string') {
        // By the book, bytes have no type in the specification; here a string replaces them.
        if (typeof schema === 'object' && schema !== null && 'type' in schema) return true;
        checkBinary.errors = [{ keyword: 'type', message: 'must be string', params: { type: 'string' } }];
        return false;
      }
      state.binaries.add(place?.instancePath ?? '');
      const empty = data === '' ? 'must not be empty' : undefined;
      const reason = state.form === 'json' ? base64Problem(data) : empty;
      if (reason === undefined) return true;
      checkBinary.errors = [{ keyword: 'x-binary', message: reason, params: { reason } }];
      return false;
    },
    { errors: [] as Partial<ErrorObject>[] },
  );
  ajv.addKeyword({ keyword: 'x-binary', validate: checkBinary, errors: 'full' });
  ajv.addSchema({ components }, documentId);
  return ajv;
}

/** Far more than are ever shown. */
const keptItems = 100;

/**
 * A value without the rest of long arrays, and without the rest of the names that no schema knows. What is left is wrong
 * in no other way than the whole.
 */
function shortened(value: unknown, known: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.slice(0, keptItems).map((item) => shortened(item, known));
  if (typeof value !== 'object' || value === null) return value;
  const given = value as Record<string, unknown>;
  const names = Object.keys(given);
  const first = names.slice(0, keptItems);
  const kept =
    names.length === first.length
      ? first
      : [...new Set([...first, ...[...known].filter((name) => Object.hasOwn(given, name))])];
  return Object.fromEntries(kept.map((name) => [name, shortened(given[name], known)]));
}

/** The name of every property in any schema of a document. */
function propertyNames(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, child] of Object.entries(value)) {
    if (name === 'properties' && typeof child === 'object' && child !== null) {
      for (const property of Object.keys(child)) found.add(property);
    }
    propertyNames(child, found);
  }
  return found;
}

/** A copy in which `#/...` points into the registered document, wherever the copy is compiled. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) =>
      name === '$ref' && typeof child === 'string' && child.startsWith('#/')
        ? [name, `${documentId}${child}`]
        : [name, absolute(child)],
    ),
  );
}

/**
 * Replaces binary values while a schema validates the rest: the schema describes a string (base64 in JSON),
 * and a validator must not walk over megabytes of bytes as if they were an array.
 */
export interface BinaryCollector {
  /** The value to give to the validator. */
  readonly value: unknown;
  /** The bytes by JSON pointer. */
  readonly found: ReadonlyMap<string, Uint8Array>;
}

/** Replaces every `Uint8Array` by a short string, empty when it has no bytes. The original is left as it is. */
export function takeBinariesOut(value: unknown): BinaryCollector {
  const found = new Map<string, Uint8Array>();
  /** The same value where there are no bytes in it: a body of a hundred thousand names is not copied. */
  const walk = (each: unknown, pointer: () => string): unknown => {
    if (each instanceof Uint8Array) {
      found.set(pointer(), each);
      return each.length > 0 ? 'binary' : '';
    }
    if (typeof each !== 'object' || each === null) return each;
    let copy: Record<string, unknown> | unknown[] | undefined;
    // Not by its entries: a pair for each of a hundred thousand names takes longer than all the rest.
    for (const name of Object.keys(each)) {
      const item = (each as Record<string, unknown>)[name];
      if (typeof item !== 'object') continue;
      const inner = walk(item, () => `${pointer()}/${escapeStep(name)}`);
      if (inner === item) continue;
      copy ??= Array.isArray(each) ? [...each] : { ...each };
      (copy as Record<string, unknown>)[name] = inner;
    }
    return copy ?? each;
  };
  return { value: walk(value, () => ''), found };
}

/** Reason why a string is not base64 as section 2.1 requires it: no whitespace, no URL alphabet. */
export function base64Problem(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const expected = (text.length / 4) * 3 - padding;
  // Node's decoder skips what it does not know, so a shorter result means that something was skipped.
  if (Buffer.from(text, 'base64').length === expected && !/[-_]/.test(text)) return undefined;
  return 'must be base64 (standard alphabet, padded, no line breaks), or raw binary in a MessagePack body';
}

/** Puts bytes in the places of strings, in place: the value is ours, freshly decoded. */
export function putBinariesIn(value: unknown, places: ReadonlyMap<string, Uint8Array>): unknown {
  for (const [pointer, bytes] of places) {
    const steps = pointer.split('/').slice(1).map(unescapeStep);
    const last = steps.pop();
    if (last === undefined) return bytes;
    let parent = value as Record<string, unknown>;
    for (const step of steps) parent = parent[step] as Record<string, unknown>;
    parent[last] = bytes;
  }
  return value;
}

/** The bytes of base64 strings that a schema has taken for binary, by JSON pointer. */
export function decodeBase64(value: unknown, pointers: ReadonlySet<string>): Map<string, Uint8Array> {
  const read = (pointer: string): string => {
    let current: unknown = value;
    for (const step of pointer.split('/').slice(1))
      current = (current as Record<string, unknown>)[unescapeStep(step)];
    return String(current);
  };
  return new Map([...pointers].map((pointer) => [pointer, Buffer.from(read(pointer), 'base64')]));
}

/** Message about text where bytes are required. */
export function missingBinary(path: readonly string[], encoding: 'msgpack' | 'form'): string {
  const how = encoding === 'form' ? 'a file part (with a filename)' : 'binary (the bin type), not a string';
  return `\`${describePath(path)}\` must be ${how}.`;
}

/** Message about bytes where the schema does not allow them. */
export function misplacedBinary(path: readonly string[]): string {
  return path.length === 0 ? 'the body must not be binary.' : `\`${describePath(path)}\` must not be binary.`;
}

function escapeStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
