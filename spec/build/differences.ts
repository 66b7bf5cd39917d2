import { asArray, asObject, isObject, type Json, type JsonObject, SpecDocument } from '../read.ts';
import { closeSchemas } from './close-schemas.ts';
import { openReceivedEnums } from './received-enums.ts';

/** One way in which the 3.1 document differs from the 3.2 one. */
export interface Difference {
  /** Its description in the README. */
  readonly words: string;
  /**
   * Makes the difference.
   *
   * @param problems Receives a sentence for each place where it cannot be made.
   */
  apply(document: JsonObject, problems: string[]): JsonObject;
}

/**
 * Every difference, in the order in which they are made: keywords that 3.1 names differently, then correct parts
 * that mock servers and client generators misread.
 */
export const differences: readonly Difference[] = [
  {
    words: 'It has no `$self`, which is new in 3.2.',
    apply: ({ $self: _, ...document }) => document,
  },
  {
    words:
      'A stream has the schema of one event in `schema`, and its `itemSchema` is kept as `x-itemSchema`: generators give the type of `schema` to what they read event by event. The example stays the text of a whole stream, which a mock server sends; linters warn that it is not an event.',
    apply: (document, problems) =>
      changeObjects(document, (node) => eventAsSchema(new SpecDocument(document), node, problems)),
  },
  {
    words: 'An example has a plain `value`, also where it is serialized.',
    apply: (document, problems) => changeObjects(document, (node) => plainValue(node, problems)),
  },
  {
    words:
      'Response headers of the connection, such as `transfer-encoding`, are listed under `x-connection-headers`: a mock server that copies them breaks its answer.',
    apply: (document) => changeObjects(document, setConnectionHeadersAside),
  },
  {
    words:
      'A closed `allOf` is one object with `additionalProperties: false`: few tools know `unevaluatedProperties`.',
    apply: closeSchemas,
  },
  {
    words: 'Raw bytes are `type: string, format: binary`, as in 3.0: generators turn only this into a file.',
    apply: (document) => changeObjects(document, namedAsBinary),
  },
  {
    words:
      'A base64 string has no `contentMediaType`: one generator turns a string that has both into a file, and sends `{}`.',
    apply: (document) => changeObjects(document, base64WithoutMediaType),
  },
  {
    words:
      'One recording or several is an array: the alternative of a single file does not compile, and one entry says the same.',
    apply: (document) => changeObjects(document, arrayOfBytes(new SpecDocument(document))),
  },
  {
    words:
      'A list of values that may grow, such as the header `model` and every list in an answer, is a plain string with the known values as examples, in a copy named `Received…` where requests use a closed list too: generated clients refuse a new value, and for Java and Kotlin they make an object of a choice between two strings. A field of an answer that refers to such a list has no default.',
    apply: (document) => openReceivedEnums(changeObjects(document, openEnumAsString)),
  },
  {
    words:
      'A schema with several types, or with null in its enum, is an `anyOf` of one type each: one generator for Go reads no others.',
    apply: (document) => changeObjects(document, oneTypeEach),
  },
  {
    words: 'A link has no body: one generator for every language refuses a body that is an object.',
    apply: (document) => changeObjects(document, linkWithoutBody),
  },
  {
    words: 'Server variables have no description: one parser refuses it.',
    apply: (document) => changeObjects(document, serverWithoutWords),
  },
];

/** Applies a change to every object from the inside out. */
function changeObjects(document: JsonObject, change: (node: JsonObject) => JsonObject): JsonObject {
  const walk = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    return change(Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item)])));
  };
  return asObject(walk(document));
}

function eventAsSchema(document: SpecDocument, node: JsonObject, problems: string[]): JsonObject {
  const { itemSchema, schema, ...rest } = node;
  if (itemSchema === undefined) return node;
  if (schema !== undefined) problems.push('A media type has schema and itemSchema; 3.1 has room for one.');
  const payload = document.properties(itemSchema).get('data')?.contentSchema;
  return { schema: payload ?? itemSchema, 'x-itemSchema': itemSchema, ...rest };
}

function plainValue(node: JsonObject, problems: string[]): JsonObject {
  const { dataValue, serializedValue, ...rest } = node;
  if (dataValue === undefined && serializedValue === undefined) return node;
  const values = [dataValue, serializedValue, rest.value, rest.externalValue];
  if (values.filter((value) => value !== undefined).length > 1) {
    problems.push('An example has more than one value; 3.1 has room for one.');
  }
  return { ...rest, value: dataValue ?? serializedValue ?? null };
}

const connectionHeaders: readonly string[] = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade'];

/**
 * Connection headers are not part of an answer: a mock server that copies `transfer-encoding` from the document sends it beside
 * `content-length`, and clients fail.
 */
function setConnectionHeadersAside(node: JsonObject): JsonObject {
  const entries = Object.entries(asObject(node.headers));
  const isConnection = ([name]: [string, Json]) => connectionHeaders.includes(name.toLowerCase());
  // A response has its own description; header components stay.
  if (node.description === undefined || !entries.some(isConnection)) return node;
  return {
    ...node,
    headers: Object.fromEntries(entries.filter((entry) => !isConnection(entry))),
    'x-connection-headers': Object.fromEntries(entries.filter(isConnection)),
  };
}

/** Bytes that are base64 in JSON already have a type. */
function namedAsBinary(node: JsonObject): JsonObject {
  return node['x-binary'] === true && node.contentEncoding === undefined
    ? { ...node, type: 'string', format: 'binary' }
    : node;
}

function base64WithoutMediaType(node: JsonObject): JsonObject {
  const { contentMediaType: _, ...rest } = node;
  return typeof node.contentEncoding === 'string' ? rest : node;
}

/** `anyOf` of a recording and an array of recordings becomes the array alone, also for base64. */
function arrayOfBytes(document: SpecDocument): (node: JsonObject) => JsonObject {
  const isBytes = (schema: Json | undefined) => document.flatten(schema)['x-binary'] === true;
  return (node) => {
    if (!Array.isArray(node.anyOf)) return node;
    const { anyOf, ...rest } = node;
    const array = asObject(anyOf.find((branch) => isObject(branch) && branch.type === 'array'));
    const others = anyOf.filter((branch) => branch !== array);
    return isBytes(array.items) && others.every(isBytes) ? { ...rest, ...array } : node;
  };
}

/** A union of a type and null stays unchanged, because every tool reads it. */
function oneTypeEach(node: JsonObject): JsonObject {
  const { type, items, enum: values, ...rest } = node;
  if (!Array.isArray(type)) return node;
  const hasNull = Array.isArray(values) && values.includes(null);
  if (!hasNull && type.filter((name) => name !== 'null').length < 2) return node;
  const allowed = Array.isArray(values) && { enum: values.filter((value) => value !== null) };
  const anyOf = type.map((name) => ({
    type: name,
    ...(name === 'array' && items !== undefined && { items }),
    ...(name !== 'null' && allowed),
  }));
  return { ...rest, anyOf };
}

function openEnumAsString(node: JsonObject): JsonObject {
  const { anyOf, ...rest } = node;
  if (node['x-open-enum'] !== true || !Array.isArray(anyOf)) return node;
  return { ...rest, type: 'string', examples: anyOf.flatMap((branch) => asArray(asObject(branch).enum)) };
}

function linkWithoutBody(node: JsonObject): JsonObject {
  const { requestBody, ...rest } = node;
  return node.operationId !== undefined && node.responses === undefined && isObject(requestBody)
    ? rest
    : node;
}

function serverWithoutWords(node: JsonObject): JsonObject {
  if (typeof node.url !== 'string' || !isObject(node.variables)) return node;
  const variables = Object.entries(node.variables).map(([name, variable]) => {
    const { description: _, ...rest } = asObject(variable);
    return [name, rest];
  });
  return { ...node, variables: Object.fromEntries(variables) };
}
