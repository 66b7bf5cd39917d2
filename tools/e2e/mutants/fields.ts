import { isObject, type JsonObject } from './change.ts';
import { resolved, type Schema } from './specification.ts';

/** A field somewhere in an answer. `*` stands for the items of an array. */
export interface Field {
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly types: readonly string[];
  readonly required: boolean;
  /** The whole that it is a part of, for making what is not there. */
  readonly root: Schema;
}

/** Every field of a schema, from the outside in. */
export function fieldsOf(root: Schema): Field[] {
  const walk = (given: Schema, path: readonly string[], required: boolean): Field[] => {
    const schema = notNull(resolved(given));
    // Objects in a list are broken by their fields; words in a list by themselves.
    const isField = path.at(-1) === '*' ? schema.properties === undefined : path.length > 0;
    const here: Field[] = isField ? [{ path, schema, types: typesOf(given), required, root }] : [];
    const inner = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      walk(property, [...path, name], schema.required?.includes(name) === true),
    );
    const items = schema.items === undefined ? [] : walk(schema.items, [...path, '*'], false);
    return [...here, ...inner, ...items];
  };
  return walk(root, [], true);
}

/** The schema of what is there, where null is allowed beside it. */
function notNull(schema: Schema): Schema {
  const choice = schema.anyOf?.map(resolved).find((part) => part.type !== 'null');
  return choice === undefined || schema.properties !== undefined ? schema : { ...schema, ...choice };
}

function typesOf(given: Schema): readonly string[] {
  const schema = resolved(given);
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(typesOf);
  if (schema.const !== undefined) return [typeof schema.const];
  return [schema.type ?? []].flat();
}

/** A value that a schema allows. */
export function valid(given: Schema): unknown {
  const schema = notNull(resolved(given));
  if (schema.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, valid(property)]),
    );
  }
  if (schema.items !== undefined) return [valid(schema.items)];
  if (schema.const !== undefined) return schema.const;
  const [first] = schema.enum ?? schema.examples ?? [];
  if (first !== undefined && first !== null) return first;
  return typesOf(schema).includes('string') ? 'words' : {};
}

/**
 * Changes one field of a value, in the last item of every array on the way: a judge that looks at the first
 * alone misses it. Missing values on the way are created.
 */
export function changeField(
  value: unknown,
  { path, root }: Field,
  change: (parent: JsonObject, name: string) => void,
): unknown {
  const walk = (here: unknown, schema: Schema, [step, ...rest]: readonly string[]): unknown => {
    const inner = notNull(resolved(schema));
    if (step === '*') {
      const items = Array.isArray(here) && here.length > 0 ? [...here] : [valid(inner.items ?? {})];
      if (rest.length > 0) items.push(walk(items.pop(), inner.items ?? {}, rest));
      else changeItem(items, change);
      return items;
    }
    const object: JsonObject = isObject(here) ? { ...here } : (valid(schema) as JsonObject);
    if (step === undefined) return object;
    if (rest.length === 0) change(object, step);
    else object[step] = walk(object[step], inner.properties?.[step] ?? {}, rest);
    return object;
  };
  return walk(value, root, path);
}

function changeItem(items: unknown[], change: (parent: JsonObject, name: string) => void): void {
  const holder: JsonObject = { item: items.pop() };
  change(holder, 'item');
  items.push(holder.item);
}

/** Name of a field in the id of a mutant. */
export const nameOf = ({ path }: Field): string => path.join('.').replaceAll('.*', '[]').replace(/^\*/, '[]');
