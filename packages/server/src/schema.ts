import type { SpecDocument } from '@speech-api/spec/read';

/** An object of JSON, or a map of MessagePack. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is bytes, also those of another realm: under jsdom, a Buffer is no `Uint8Array`. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value);
}

/** Whether a value is an object with fields: neither null nor an array nor bytes. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isBytes(value);
}

/** A JSON Schema as written in the document. It is data: do not rely on these types. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly 'x-binary'?: boolean;
  readonly [keyword: string]: unknown;
}

function resolve(document: SpecDocument, schema: Schema): Schema {
  return document.resolve(schema) as Schema;
}

/** The schemas that a schema is composed of, and its alternatives. */
function partsOf({ allOf = [], anyOf = [], oneOf = [] }: Schema): readonly Schema[] {
  return [...allOf, ...anyOf, ...oneOf];
}

/** The properties a schema names, with those of the schemas it is composed of and of its alternatives. */
export function propertiesOf(document: SpecDocument, schema: Schema): Map<string, Schema> {
  const resolved = resolve(document, schema);
  const inherited = partsOf(resolved).flatMap((part) => [...propertiesOf(document, part)]);
  return new Map([...inherited, ...Object.entries(resolved.properties ?? {})]);
}

/** The types that a schema accepts, through references and alternatives. Empty if it names none. */
export function typesOf(document: SpecDocument, schema: Schema): Set<string> {
  const resolved = resolve(document, schema);
  const types = typeof resolved.type === 'string' ? [resolved.type] : (resolved.type ?? []);
  return new Set([...types, ...partsOf(resolved).flatMap((part) => [...typesOf(document, part)])]);
}

/** Whether a schema or one of its alternatives describes bytes. */
export function takesBytes(document: SpecDocument, schema: Schema): boolean {
  const resolved = resolve(document, schema);
  return resolved['x-binary'] === true || partsOf(resolved).some((part) => takesBytes(document, part));
}

/** The schema of an array's items, looking through references and alternatives. */
export function itemsOf(document: SpecDocument, schema: Schema): Schema | undefined {
  const resolved = resolve(document, schema);
  if (resolved.items) return resolved.items;
  const lists = partsOf(resolved).map((part) => itemsOf(document, part));
  return lists.find((items) => items !== undefined);
}

/** The properties a schema requires, with those of the schemas it is composed of. */
export function requiredOf(document: SpecDocument, schema: Schema): Set<string> {
  const { allOf = [], required = [] } = resolve(document, schema);
  return new Set([...required, ...allOf.flatMap((part) => [...requiredOf(document, part)])]);
}

/** The schema of the value at `path`, as far as it can be determined. */
export function schemaAt(
  document: SpecDocument,
  schema: Schema,
  path: readonly string[],
): Schema | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  const inner =
    propertiesOf(document, schema).get(step) ?? (/^\d+$/.test(step) ? itemsOf(document, schema) : undefined);
  return inner && schemaAt(document, inner, rest);
}
