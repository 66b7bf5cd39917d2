import { asArray, asObject, isObject, type Json, type JsonObject } from './json.ts';

/** A built document of the specification, with its references followed. */
export class SpecDocument {
  readonly root: JsonObject;

  constructor(root: unknown) {
    if (!isObject(root)) throw new Error('a document of the specification must be an object');
    this.root = root;
  }

  /** The value a reference leads to, through as many as there are. A reference that leads nowhere is an error. */
  resolve(node: Json | undefined): JsonObject {
    const object = asObject(node);
    const { $ref } = object;
    if (typeof $ref !== 'string') return object;
    return this.resolve(this.#at($ref));
  }

  /** The name of the component a schema is, or extends and nothing else: `VoiceModel`. */
  nameOf(node: Json | undefined): string | undefined {
    const { $ref, allOf } = asObject(node);
    if (typeof $ref === 'string') return $ref.split('/').at(-1);
    const [only, ...others] = asArray(allOf);
    return only !== undefined && others.length === 0 ? this.nameOf(only) : undefined;
  }

  /**
   * A schema with references followed and `allOf` folded into it. What stands beside a reference wins over what it
   * leads to; provenance marks of both are kept.
   */
  flatten(node: Json | undefined): JsonObject {
    const { $ref, allOf, ...own } = asObject(node);
    const parts: JsonObject[] = [];
    if (typeof $ref === 'string') parts.push(this.flatten(this.#at($ref)));
    for (const part of asArray(allOf)) parts.push(this.flatten(part));
    return [...parts, own].reduce(merge, {});
  }

  #at(reference: string): Json {
    let value: Json = this.root;
    for (const part of reference.replace(/^#\//, '').split('/')) {
      const next: Json | undefined = asObject(value)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
      if (next === undefined) throw new Error(`the reference ${reference} leads nowhere`);
      value = next;
    }
    return value;
  }
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...left, ...right };
  for (const key of ['properties', 'x-limits']) {
    if (isObject(left[key]) && isObject(right[key])) merged[key] = { ...left[key], ...right[key] };
  }
  for (const key of ['required', 'x-provenance']) {
    const both = [left[key], right[key]].flat().filter((entry) => entry !== undefined && entry !== null);
    if (both.length > 0) merged[key] = both as Json[];
  }
  return merged;
}
