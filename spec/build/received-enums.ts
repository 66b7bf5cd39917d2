import {
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
 * An open list is a plain string, because generators for Java and Kotlin make an object of a choice between two strings.
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
  const name = typeof value.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined;
  if (name !== undefined && shared.includes(name)) {
    return { ...value, $ref: `#/components/schemas/Received${name}` };
  }
  if (isStringEnum(value)) {
    const { enum: values = [], ...rest } = value;
    return { ...rest, examples: values, 'x-open-enum': true };
  }
  // Java has no literal for the default of a field that refers to a schema.
  const { default: _, ...withoutDefault } = value;
  const members = value.allOf === undefined ? value : withoutDefault;
  return Object.fromEntries(Object.entries(members).map(([key, item]) => [key, open(item, shared)]));
}

function isStringEnum(schema: Json | undefined): boolean {
  return isObject(schema) && schema.type === 'string' && Array.isArray(schema.enum);
}
