import { isDeepStrictEqual } from 'node:util';
import type { SpecDocument } from '@speech-api/spec/read';
import { asArray, asObject, asText, isObject, type Json, type JsonObject } from '@speech-api/spec/read';
import { readFacts } from './facts.ts';
import type { Choice, Field, Mark, Shape } from './page-model.ts';
import type { MarkReader } from './rules.ts';

/** Location of a shape: the start of the anchors and of the paths of its fields. */
export interface Place {
  readonly anchor: string;
  readonly path: string;
}

export class ShapeReader {
  readonly #document: SpecDocument;
  readonly #marks: MarkReader;

  constructor(document: SpecDocument, marks: MarkReader) {
    this.#document = document;
    this.#marks = marks;
  }

  shape(node: Json | undefined, place: Place): Shape {
    const schema = this.#open(node);
    const branches = this.#branches(schema);
    const objects = branches.length > 1 && branches.every((branch) => isObject(branch.properties));
    const { shared, choices } = objects
      ? this.#choices(branches, place)
      : { shared: this.#fields(schema, branches, place), choices: [] };
    return {
      type: this.#type(node),
      description: asText(schema.description),
      facts: objects ? [] : readFacts(withValues(schema, branches)),
      marks: this.#marksOf(schema),
      fields: shared,
      choices,
    };
  }

  /** A parameter, a header or a property, as a field with this name. */
  field(
    name: string,
    node: Json | undefined,
    place: Place,
    required: boolean,
    described?: JsonObject,
  ): Field {
    const schema = this.#open(node);
    const branches = this.#branches(schema);
    const path = place.path === '' ? name : `${place.path}.${name}`;
    const anchor = `${place.anchor}-${name}`.replaceAll('[]', '');
    const named = this.#schemaName(node);
    return {
      name,
      path,
      anchor,
      type: this.#type(node),
      ...(named === undefined ? {} : { schema: named }),
      required,
      description: asText(described?.description ?? schema.description),
      facts: readFacts(withValues(schema, branches), described?.example),
      marks: this.#marksOf(schema, described),
      fields: this.#fields(schema, branches, { anchor, path }),
    };
  }

  /** A schema as it is, with the payload of an event in the place of the event. */
  #open(node: Json | undefined): JsonObject {
    const schema = this.#document.flatten(node);
    return isObject(schema.contentSchema) ? this.#document.flatten(schema.contentSchema) : schema;
  }

  /** The alternatives of a schema, without null. */
  #branches(schema: JsonObject): readonly JsonObject[] {
    return [...asArray(schema.anyOf), ...asArray(schema.oneOf)]
      .map((branch) => this.#document.flatten(branch))
      .filter((branch) => branch.type !== 'null');
  }

  #fields(schema: JsonObject, branches: readonly JsonObject[], place: Place): readonly Field[] {
    const properties = Object.entries(asObject(schema.properties));
    if (properties.length > 0) {
      const required = asArray(schema.required);
      return properties.map(([name, node]) => this.field(name, node, place, required.includes(name)));
    }
    if (isObject(schema.items)) {
      const items = this.#open(schema.items);
      const itemsPlace = { anchor: place.anchor, path: `${place.path}[]` };
      return this.#fields(items, this.#branches(items), itemsPlace);
    }
    for (const branch of branches) {
      const fields = this.#fields(branch, this.#branches(branch), place);
      if (fields.length > 0) return fields;
    }
    return [];
  }

  /** Fields common to all forms of an object, and the fields of each form. */
  #choices(branches: readonly JsonObject[], place: Place): { shared: readonly Field[]; choices: Choice[] } {
    const [first = {}, ...others] = branches;
    const isShared = (name: string): boolean =>
      others.every((other) => {
        const [left, right] = [first, other].map((branch) => asObject(branch.properties)[name]);
        return isDeepStrictEqual(left, right);
      });
    const part = (branch: JsonObject, keep: (name: string) => boolean, at: Place): readonly Field[] => {
      const kept = Object.entries(asObject(branch.properties)).filter(([name]) => keep(name));
      return this.#fields({ ...branch, properties: Object.fromEntries(kept) }, [], at);
    };
    const choices = branches.map((branch, index) => {
      const title = asText(branch.title) || `Form ${index + 1}`;
      const anchor = `${place.anchor}-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
      const fields = part(branch, (name) => !isShared(name), { anchor, path: place.path });
      return { title, anchor, description: asText(branch.description), fields };
    });
    return { shared: part(first, isShared, place), choices };
  }

  #marksOf(schema: JsonObject, described?: JsonObject): readonly Mark[] {
    const limits = [schema, described ?? {}]
      .flatMap((node) => Object.values(asObject(node['x-limits'])))
      .map((limit) => asObject(limit)['x-provenance']);
    return this.#marks.read(described?.['x-provenance'], schema['x-provenance'], ...limits);
  }

  /** The named schema behind a field that has fields of its own, directly, as the entries of an array, or or-null. */
  #schemaName(node: Json | undefined): string | undefined {
    const { items, anyOf } = asObject(node);
    const candidates = [node, items, ...asArray(anyOf), asObject(items).items];
    for (const candidate of candidates) {
      const name = this.#document.nameOf(candidate);
      if (name !== undefined && isObject(this.#document.flatten(candidate).properties)) return name;
    }
    return undefined;
  }

  #type(node: Json | undefined): string {
    const schema = this.#open(node);
    if (schema['x-binary'] === true) return 'binary';
    if (typeof schema.type === 'string' || Array.isArray(schema.type)) {
      const alternatives = [schema.type].flat().map((type) => this.#plainType(asText(type), schema));
      return alternatives.join(' or ');
    }
    const alternatives = [...asArray(schema.anyOf), ...asArray(schema.oneOf)].map((branch) =>
      this.#type(branch),
    );
    if (alternatives.length > 0) return [...new Set(alternatives)].join(' or ');
    if (schema.const !== undefined) return typeof schema.const;
    return isObject(schema.properties) ? 'object' : 'any';
  }

  #plainType(type: string, schema: JsonObject): string {
    if (type === 'array') return `array of ${this.#type(schema.items)}`;
    if (type === 'object' && isObject(schema.additionalProperties) && !isObject(schema.properties))
      return `map of string to ${this.#type(schema.additionalProperties)}`;
    if (type === 'string' && schema.format === 'date-time') return 'string, date-time';
    return type;
  }
}

/** The values that alternatives list count as the schema's own. */
function withValues(schema: JsonObject, branches: readonly JsonObject[]): JsonObject {
  if (schema.enum !== undefined) return schema;
  const listed = branches.flatMap((branch) => asArray(branch.enum));
  if (listed.length === 0) {
    const [only, ...others] = branches;
    // One thing or null: its range, default and unit are the field's.
    if (only !== undefined && others.length === 0) return { ...only, ...schema };
    const { minItems, maxItems } = branches.find((branch) => branch.type === 'array') ?? {};
    return {
      ...(minItems === undefined ? {} : { minItems }),
      ...(maxItems === undefined ? {} : { maxItems }),
      ...schema,
    };
  }
  const open = branches.some((branch) => branch.type === 'string' && branch.enum === undefined);
  return { ...schema, enum: listed, ...(open ? { 'x-open-enum': true } : {}) };
}
