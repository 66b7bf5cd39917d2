import {
  asArray,
  asObject,
  isObject,
  type Json,
  type JsonObject,
  reachOfSchemas,
  receivedOnly,
  SpecDocument,
} from '../read.ts';

/**
 * Lets other strings through wherever an answer has a list of values: a service may answer with one that is new.
 * A list that requests use too stays closed there, and answers refer to an open copy of it.
 */
export function openReceivedEnums(document: JsonObject): JsonObject {
  const components = asObject(document.components);
  if (components.schemas === undefined) return document;
  const reach = reachOfSchemas(new SpecDocument(document));
  const answers = receivedOnly(reach);
  const schemas = Object.entries(asObject(components.schemas));
  const shared = schemas.flatMap(([name, schema]) =>
    isStringEnum(schema) && reach.sent.has(name) && reach.received.has(name) ? [name] : [],
  );
  const opened = schemas.flatMap(([name, schema]): [string, Json][] => {
    if (shared.includes(name))
      return [
        [name, schema],
        [`Received${name}`, open(schema, shared)],
      ];
    return [[name, answers.includes(name) ? open(schema, shared) : schema]];
  });
  return { ...document, components: { ...components, schemas: Object.fromEntries(opened) } };
}

/** The schema with each list of values opened, and with the open copies of those lists that requests use too. */
function open(value: Json | undefined, shared: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((item: Json) => open(item, shared));
  if (!isObject(value)) return value ?? null;
  const name = sharedName(value, shared);
  if (name !== undefined) return { ...value, $ref: `#/components/schemas/Received${name}` };
  if (isStringEnum(value)) {
    const { type: _, enum: values = [], ...rest } = value;
    return { ...rest, anyOf: [{ type: 'string', enum: values }, { type: 'string' }], 'x-open-enum': true };
  }
  const { default: _, ...withoutDefault } = value;
  const isList = asArray(value.allOf).some((branch) => sharedName(branch, shared) !== undefined);
  return Object.fromEntries(
    Object.entries(isList ? withoutDefault : value).map(([key, item]) => [key, open(item, shared)]),
  );
}

/** The name of the shared list that a schema refers to. */
function sharedName(schema: Json, shared: readonly string[]): string | undefined {
  return shared.find((name) => asObject(schema).$ref === `#/components/schemas/${name}`);
}

function isStringEnum(schema: Json | undefined): boolean {
  return isObject(schema) && schema.type === 'string' && Array.isArray(schema.enum);
}
