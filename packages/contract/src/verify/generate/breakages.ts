import type { JsonObject } from '../../specification/document.ts';
import type { Fields } from '../request/encode-body.ts';
import { choicesOf, type Field, type Shape, typesOf } from './shape.ts';

/** One way in which a request is wrong. */
export interface Breakage {
  /** In words: `temperature above 1`. */
  readonly what: string;
  readonly apply: (fields: Fields) => Fields;
}

/** Every way in which fields of a typed body (JSON, MessagePack) can break their schemas, one thing at a time. */
export function breakagesOf(shape: Shape): readonly Breakage[] {
  return [
    ...shape.fields.flatMap((field) => breakagesOfField(field)),
    ...(shape.closed ? [put('an unknown field', 'speech_contract_unknown', 1)] : []),
  ];
}

function breakagesOfField({ name, required, schema }: Field): Breakage[] {
  const types = typesOf(schema);
  return [
    ...(required ? [{ what: `without ${name}`, apply: ({ [name]: _left, ...rest }: Fields) => rest }] : []),
    ...outside(name, schema).map(([what, value]) => put(`${name} ${what}`, name, value)),
    ...wrongTypes(types, schema).map((value) => put(`${name} as ${JSON.stringify(value)}`, name, value)),
  ];
}

/** Values of the right type that the schema does not allow. */
function outside(name: string, schema: JsonObject): [what: string, value: unknown][] {
  const found: [string, unknown][] = [];
  if (typeof schema.minimum === 'number') found.push([`below ${schema.minimum}`, schema.minimum - 1]);
  if (typeof schema.maximum === 'number') found.push([`above ${schema.maximum}`, schema.maximum + 1]);
  if (typesOf(schema).includes('integer') && schema.enum === undefined)
    found.push(['with a fraction', 100.5]);
  const listed = listedIn(schema);
  if (listed.length > 0) {
    const numbers = listed.filter((value) => typeof value === 'number');
    found.push(['not on its list', numbers.length > 0 ? Math.max(...numbers) + 1 : `no-such-${name}`]);
  }
  return found;
}

function listedIn(schema: JsonObject): readonly unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  return choicesOf(schema).flatMap(listedIn);
}

/** A value of a type that the schema does not have. */
function wrongTypes(types: readonly string[], schema: JsonObject): unknown[] {
  if (types.length === 0 || schema['x-binary'] === true) return [];
  const isNumber = types.includes('number') || types.includes('integer');
  return [
    ...(types.includes('null') ? [] : [null]),
    ...(types.includes('string') ? [] : ['seven']),
    ...(isNumber ? [] : [7]),
    ...(types.includes('object') ? [] : [{ speech: 'contract' }]),
  ];
}

function put(what: string, name: string, value: unknown): Breakage {
  return { what, apply: (fields) => ({ ...fields, [name]: value }) };
}
