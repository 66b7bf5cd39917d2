import { isDeepStrictEqual } from 'node:util';
import {
  asArray,
  asObject,
  asText,
  isObject,
  type Json,
  type JsonObject,
  type SpecDocument,
} from '@speech-api/spec/read';
import { type Fact, readFacts } from './facts.ts';

/** A parameter, a header, a field of a body, or a whole body, whose name is empty. */
export interface Field {
  /** As it is named on the wire. */
  readonly name: string;
  /** Path in the body: `prosody.speed`, `references[].audio`. */
  readonly path: string;
  /** Fragment of its address on the page. */
  readonly anchor: string;
  readonly type: string;
  /** The named schema it has, with a place on the page of schemas. */
  readonly schema: string | undefined;
  readonly required: boolean;
  /** Markdown. */
  readonly description: string;
  readonly facts: readonly Fact[];
  /** Marks of what the interface does not state, as the document has them. */
  readonly provenance: readonly (Json | undefined)[];
  /** Its fields; those that all forms share where it has several. */
  readonly fields: readonly Field[];
  /** The forms it can have, each with its own fields. */
  readonly forms: readonly Field[];
}

/** Location of a field: the start of its anchor and of its path. */
interface Place {
  readonly anchor: string;
  readonly path: string;
}

/** Reads fields out of the schemas of a document. */
export class FieldReader {
  readonly #document: SpecDocument;

  constructor(document: SpecDocument) {
    this.#document = document;
  }

  /** The whole of a body or of a message, whose fields have anchors that start with this one. */
  whole(node: Json | undefined, anchor: string): Field {
    return this.#read('', node, { anchor, path: '' }, false);
  }

  /** A parameter or a header. */
  parameter(name: string, node: JsonObject, start: string): Field {
    const place = { anchor: `${start}-${name}`, path: name };
    return this.#read(name, node.schema, place, node.required === true, node);
  }

  #read(
    name: string,
    node: Json | undefined,
    place: Place,
    required: boolean,
    parent: JsonObject = {},
  ): Field {
    const schema = this.#open(node);
    const branches = this.#branches(schema);
    const hasForms = branches.length > 1 && branches.every(({ properties }) => isObject(properties));
    return {
      name,
      ...place,
      type: this.#type(node),
      schema: this.#schemaName(node),
      required,
      description: asText(parent.description ?? schema.description),
      facts: hasForms ? [] : readFacts(withValues(schema, branches), parent.example),
      provenance: [parent, schema].flatMap(provenanceOf),
      ...(hasForms ? this.#forms(branches, place) : { fields: this.#fields(schema, place), forms: [] }),
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

  #fields(schema: JsonObject, { anchor, path }: Place): readonly Field[] {
    if (isObject(schema.items)) return this.#fields(this.#open(schema.items), { anchor, path: `${path}[]` });
    const fields = Object.entries(asObject(schema.properties)).map(([name, node]) => {
      const place = { anchor: `${anchor}-${name}`, path: path === '' ? name : `${path}.${name}` };
      return this.#read(name, node, place, asArray(schema.required).includes(name));
    });
    if (fields.length > 0) return fields;
    const inBranches = this.#branches(schema).map((branch) => this.#fields(branch, { anchor, path }));
    return inBranches.find(({ length }) => length > 0) ?? [];
  }

  /** Fields common to all forms of an object, and the fields of each form. */
  #forms(branches: readonly JsonObject[], { anchor, path }: Place): Pick<Field, 'fields' | 'forms'> {
    const [first = {}, ...others] = branches;
    const isShared = ([name, node]: [string, Json]): boolean =>
      others.every(({ properties }) => isDeepStrictEqual(asObject(properties)[name], node));
    const shared = Object.entries(asObject(first.properties)).filter(isShared);
    const sharedNames = new Set(shared.map(([name]) => name));
    const forms = branches.map((branch) => {
      const name = asText(branch.title);
      const place = { anchor: `${anchor}-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`, path };
      const form = this.#read(name, { description: branch.description ?? '' }, place, false);
      const special = Object.entries(asObject(branch.properties)).filter(([name]) => !sharedNames.has(name));
      return { ...form, fields: this.#fields({ ...branch, properties: Object.fromEntries(special) }, place) };
    });
    const fields = this.#fields({ ...first, properties: Object.fromEntries(shared) }, { anchor, path });
    return { fields, forms };
  }

  /** The named schema behind a field that has fields of its own, directly, as the entries of an array, or or-null. */
  #schemaName(node: Json | undefined): string | undefined {
    const { items, anyOf } = asObject(node);
    return [node, items, ...asArray(anyOf), asObject(items).items]
      .filter((candidate) => isObject(this.#document.flatten(candidate).properties))
      .map((candidate) => this.#document.nameOf(candidate))
      .find((name) => name !== undefined);
  }

  #type(node: Json | undefined): string {
    const schema = this.#open(node);
    if (schema['x-binary'] === true) return 'binary';
    const types = [schema.type ?? []].flat().map((type) => this.#plainType(asText(type), schema));
    const branches = [...asArray(schema.anyOf), ...asArray(schema.oneOf)].map((branch) => this.#type(branch));
    const alternatives = types.length > 0 ? types : branches;
    if (alternatives.length > 0) return [...new Set(alternatives)].join(' or ');
    return schema.const === undefined ? 'any' : typeof schema.const;
  }

  #plainType(type: string, schema: JsonObject): string {
    if (type === 'array') return `array of ${this.#type(schema.items)}`;
    if (type === 'object' && isObject(schema.additionalProperties) && !isObject(schema.properties))
      return `map of string to ${this.#type(schema.additionalProperties)}`;
    return type === 'string' && schema.format === 'date-time' ? 'string, date-time' : type;
  }
}

/** The marks of a node and of its limits. */
export function provenanceOf(node: JsonObject): (Json | undefined)[] {
  const limits = Object.values(asObject(node['x-limits'])).map((limit) => asObject(limit)['x-provenance']);
  return [node['x-provenance'], ...limits];
}

/** The values that alternatives list count as the schema's own. */
function withValues(schema: JsonObject, branches: readonly JsonObject[]): JsonObject {
  if (schema.enum !== undefined) return schema;
  const values = branches.flatMap((branch) => asArray(branch.enum));
  if (values.length === 0) {
    // One thing or null: its range, default and unit are the field's.
    if (branches.length === 1) return { ...branches[0], ...schema };
    const { minItems = null, maxItems = null } = branches.find(({ type }) => type === 'array') ?? {};
    return { minItems, maxItems, ...schema };
  }
  const isOpen = branches.some((branch) => branch.type === 'string' && branch.enum === undefined);
  return { ...schema, enum: values, 'x-open-enum': isOpen };
}

/** These fields with all fields inside them. */
export function allFields(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => [field, ...allFields([...field.fields, ...field.forms])]);
}
