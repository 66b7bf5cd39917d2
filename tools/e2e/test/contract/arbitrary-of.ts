import fc from 'fast-check';

/** A JSON schema of the specification, as much of it as is looked at here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly 'x-binary'?: boolean;
}

/** The document that `$ref` points into. */
export interface Specification {
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components: Record<string, Record<string, unknown>>;
}

/** Representation of bytes: in a request the caller's kinds of binary, in an answer base64. */
export type Binaries = 'as bytes' | 'as base64';

/**
 * Values that a schema allows, for fast-check.
 *
 * Throws for a keyword that it does not know, so that a new kind of schema cannot go untested unnoticed.
 */
export function arbitraryOf(schema: Schema, spec: Specification, binaries: Binaries): fc.Arbitrary<unknown> {
  const of = (inner: Schema): fc.Arbitrary<unknown> => arbitraryOf(inner, spec, binaries);
  if (schema.$ref !== undefined) return of(resolve(schema.$ref, spec));
  if (schema['x-binary']) return binaries === 'as bytes' ? binary() : base64();
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(of));
  if (schema.allOf) {
    const { allOf, ...rest } = schema;
    return of(allOf.map((part) => expand(part, spec)).reduce(merge, rest));
  }
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

/** Target of a JSON pointer in the document. */
export function resolve<Target = Schema>(pointer: string, spec: Specification): Target {
  let target: unknown = spec;
  for (const name of pointer.replace(/^#\//, '').split('/')) {
    target = (target as Record<string, unknown>)[name.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  if (target === undefined) throw new Error(`${pointer} points to nothing`);
  return target as Target;
}

function expand({ $ref, ...own }: Schema, spec: Specification): Schema {
  return $ref === undefined ? own : { ...resolve($ref, spec), ...own };
}

function merge(first: Schema, second: Schema): Schema {
  const required = [...(first.required ?? []), ...(second.required ?? [])];
  return {
    ...second,
    ...Object.fromEntries(Object.entries(first).filter(([, value]) => value !== undefined)),
    properties: { ...second.properties, ...first.properties },
    ...(required.length > 0 && { required }),
  };
}
