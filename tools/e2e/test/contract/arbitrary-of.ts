import fc from 'fast-check';
import { document, type Schema } from './specification.ts';

/** Representation of bytes: in a request the caller's kinds of binary, in an answer base64. */
export type Binaries = 'as bytes' | 'as base64';

/**
 * Values that a schema allows, for fast-check.
 *
 * Throws for a keyword that it does not know, so that a new kind of schema cannot go untested unnoticed.
 */
export function arbitraryOf(schema: Schema, binaries: Binaries): fc.Arbitrary<unknown> {
  const of = (inner: Schema): fc.Arbitrary<unknown> => arbitraryOf(inner, binaries);
  if (schema.$ref !== undefined || schema.allOf !== undefined) return of(document.flatten(schema));
  if (schema['x-binary']) return binaries === 'as bytes' ? binary() : base64();
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(of));
  const types = [schema.type ?? (schema.properties ? 'object' : 'any')].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, of)));
}

function ofType(
  type: string,
  schema: Schema,
  of: (inner: Schema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const { minimum, maximum, minItems = 0, maxItems = Math.max(3, minItems) } = schema;
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'any') return fc.jsonValue({ maxDepth: 1 });
  if (type === 'integer') return fc.integer({ min: minimum ?? -1000, max: maximum ?? 100_000 });
  if (type === 'number') {
    return fc
      .double({ min: minimum ?? -1000, max: maximum ?? 100_000, noNaN: true })
      .map((value) => value + 0);
  }
  if (type === 'array') {
    return fc.array(of(schema.items ?? {}), { minLength: minItems, maxLength: Math.min(3, maxItems) });
  }
  if (type === 'string') return text(schema);
  if (type !== 'object') throw new Error(`no values for the type ${type}`);
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, inner]) => [name, of(inner)] as const,
  );
  if (properties.length === 0) {
    const values =
      typeof schema.additionalProperties === 'object' ? of(schema.additionalProperties) : fc.jsonValue();
    return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), values, { maxKeys: 3 });
  }
  const requiredKeys = [...(schema.required ?? [])];
  return fc.record(Object.fromEntries(properties), { requiredKeys });
}

function text({ format, pattern, minLength = 0, contentEncoding }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString());
  if (format === 'uri') return fc.webUrl();
  if (contentEncoding === 'base64') return base64();
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format !== undefined) throw new Error(`no values for the format ${format}`);
  return fc.string({ unit: 'grapheme', minLength, maxLength: minLength + 20 });
}

function base64(): fc.Arbitrary<string> {
  return fc.uint8Array({ minLength: 1, maxLength: 30 }).map((bytes) => Buffer.from(bytes).toString('base64'));
}

/** Bytes in each kind that the client takes, never empty, as no recording is. */
function binary(): fc.Arbitrary<unknown> {
  const kinds = [
    (bytes: Uint8Array<ArrayBuffer>) => bytes,
    (bytes: Uint8Array<ArrayBuffer>) => bytes.slice().buffer,
    (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes]),
    (bytes: Uint8Array<ArrayBuffer>) => new File([bytes], 'sample.wav'),
    (bytes: Uint8Array<ArrayBuffer>) => Buffer.from(bytes),
  ];
  return fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.constantFrom(...kinds))
    .map(([bytes, make]) => make(bytes as Uint8Array<ArrayBuffer>));
}
