import fc from 'fast-check';
import { type JsonObject, openApi, resolve } from '../../specification/document.ts';
import { choicesOf, type Field, typesOf } from './shape.ts';

/** Ranges that the spec leaves open and a test has to choose: anything may be sent, not everything makes a useful answer. */
const chosenRanges: Readonly<Record<string, { readonly min: number; readonly max: number }>> = {
  max_new_tokens: { min: 256, max: 2048 },
  repetition_penalty: { min: 1, max: 2 },
  volume: { min: -20, max: 20 },
  page_size: { min: 1, max: 100 },
  page_number: { min: 1, max: 5 },
};

/** Values that the schema of a field allows, small ones first. */
export function arbitraryOf({ name, schema }: Pick<Field, 'name' | 'schema'>): fc.Arbitrary<unknown> {
  if (schema['x-binary'] === true) return fc.uint8Array({ minLength: 1, maxLength: 40 });
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const choices = choicesOf(schema);
  if (choices.length > 0) return fc.oneof(...choices.map((choice) => arbitraryOf({ name, schema: choice })));
  const types = typesOf(schema);
  if (types.length === 0) throw new Error(`no values for ${name}: its schema names no type`);
  return fc.oneof(...types.map((type) => ofType(type, name, schema)));
}

function ofType(type: string, name: string, schema: JsonObject): fc.Arbitrary<unknown> {
  const chosen = chosenRanges[name];
  const minimum = typeof schema.minimum === 'number' ? schema.minimum : (chosen?.min ?? 0);
  const maximum = typeof schema.maximum === 'number' ? schema.maximum : (chosen?.max ?? 1000);
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  // Hundredths: as many digits as people write, and no number that another language reads differently.
  if (type === 'number') {
    return fc
      .integer({ min: Math.ceil(minimum * 100), max: Math.floor(maximum * 100) })
      .map((value) => value / 100);
  }
  if (type === 'string') return words;
  if (type === 'array') {
    return fc.array(arbitraryOf({ name, schema: resolve(openApi(), schema.items) }), {
      minLength: 1,
      maxLength: 3,
    });
  }
  const fields = Object.entries((schema.properties ?? {}) as JsonObject).map(
    ([inner, value]) => [inner, arbitraryOf({ name: inner, schema: resolve(openApi(), value) })] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
}

/** A few plain words: cheap to speak, and nobody is offended by what a seed makes. */
export const words: fc.Arbitrary<string> = fc
  .array(fc.constantFrom('tide', 'harbour', 'lamp', 'bread', 'seven', 'boats', 'Käse', '早上好'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((list) => list.join(' '));
