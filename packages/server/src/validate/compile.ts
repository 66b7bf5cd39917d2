import type { JsonObject } from '@speech-api/spec/read';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Schema } from '../spec/schema.ts';

/** How a body was written, which decides how bytes look in it. */
export type Encoding = 'json' | 'msgpack' | 'form';

/** Judges a value by one schema. In a value from JSON, base64 that the schema takes for bytes becomes bytes, in place. */
export type CompiledSchema = (value: unknown, encoding: Encoding) => readonly ErrorObject[];

const documentId = 'speech:document';

/**
 * Makes a compiler of schemas that are part of a document, or are made of parts of it. Each is compiled on first use, and
 * those it refers to only once.
 *
 * A value is judged up to its first error; only an invalid one is judged for all its errors, and then without what a long
 * body repeats: gathering the errors of a hundred thousand items takes Ajv many seconds.
 *
 * The keyword `x-binary` says where bytes belong and, for JSON, checks that they are base64.
 */
export function createSchemaCompiler(components: JsonObject): (schema: Schema) => CompiledSchema {
  const [first, all] = [createAjv(components, false), createAjv(components, true)];
  const known = propertyNames(components);
  const compiled = new WeakMap<Schema, CompiledSchema>();
  const compile = (schema: Schema): CompiledSchema => {
    const whole = prepared(schema) as Schema;
    const validate = first.compile(whole);
    return (value, encoding) => {
      if (validate.call({ encoding }, value)) return [];
      const found = validate.errors ?? [];
      // Ajv gives the same function for the same schema.
      const explain = all.compile(whole);
      // Valid without its end: the first error comes after the part that was checked.
      return explain.call({ encoding }, shortened(value, known)) ? found : (explain.errors ?? found);
    };
  };
  return (schema) => {
    const ready = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, ready);
    return ready;
  };
}

function createAjv(components: JsonObject, allErrors: boolean): Ajv2020 {
  // The document's own annotations (`x-`, `example`) are not JSON Schema keywords; its lint has checked them.
  const ajv = new Ajv2020({
    allErrors,
    strict: false,
    strictNumbers: true,
    verbose: true,
    validateSchema: false,
    passContext: true,
  });
  addFormats.default(ajv);
  ajv.addFormat('binary', true);
  ajv.addKeyword({ keyword: 'x-binary', validate: checkBytes, modifying: true, errors: 'full' });
  ajv.addSchema({ components: prepared(components) }, documentId);
  return ajv;
}

const checkBytes = Object.assign(
  function (
    this: { readonly encoding: Encoding },
    _isBinary: unknown,
    data: unknown,
    _schema: unknown,
    place?: {
      readonly parentData: Record<string | number, unknown>;
      readonly parentDataProperty: string | number;
    },
  ): boolean {
    checkBytes.errors = [];
    if (data instanceof Uint8Array && data.length > 0) return true;
    if (typeof data !== 'string' && !(data instanceof Uint8Array)) {
      checkBytes.errors = [{ keyword: 'type', message: 'must be string', params: { type: 'string' } }];
      return false;
    }
    const bytes = typeof data === 'string' && this.encoding === 'json' ? decodeBase64(data) : undefined;
    if (bytes !== undefined && place !== undefined) {
      place.parentData[place.parentDataProperty] = bytes;
      return true;
    }
    const reason = data.length === 0 ? 'must not be empty' : needed[this.encoding];
    checkBytes.errors = [{ keyword: 'x-binary', message: reason, params: { reason } }];
    return false;
  },
  { errors: [] as Partial<ErrorObject>[] },
);

/** The form of bytes in each encoding, for a message about other text. */
const needed: Readonly<Record<Encoding, string>> = {
  json: 'must be base64 (standard alphabet, padded, no line breaks), or raw binary in a MessagePack body',
  msgpack: 'must be binary (the bin type), not a string',
  form: 'must be a file part (with a filename)',
};

/** The bytes of base64 as the interface requires it: no whitespace, no URL alphabet. */
function decodeBase64(text: string): Uint8Array | undefined {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.from(text, 'base64');
  // Node's decoder skips what it does not know, so a shorter result means that something was skipped.
  const isWhole = bytes.length > 0 && bytes.length === (text.length / 4) * 3 - padding;
  return isWhole && !/[-_]/.test(text) ? bytes : undefined;
}

/** Far more than are ever shown. */
const keptItems = 100;

/**
 * A value without the rest of long arrays, and without the rest of the names that no schema knows. What is left is wrong
 * in no other way than the whole.
 */
function shortened(value: unknown, known: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.slice(0, keptItems).map((item) => shortened(item, known));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
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

/**
 * A copy in which `#/...` points into the registered document, wherever the copy is compiled, and in which only `x-binary`
 * judges bytes: where they are base64 in JSON, the document calls them a string.
 */
function prepared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prepared);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name]) => name !== 'type' || !('x-binary' in value))
    .map(([name, child]) =>
      name === '$ref' && typeof child === 'string' && child.startsWith('#/')
        ? [name, `${documentId}${child}`]
        : [name, prepared(child)],
    );
  return Object.fromEntries(entries);
}
