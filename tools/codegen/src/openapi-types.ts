import {
  isObject,
  type Json,
  type JsonObject,
  reachOfSchemas,
  receivedOnly,
  SpecDocument,
} from '@speech-api/spec/read';
import openapiTypeScript, { astToString, type OpenAPI3, type OpenAPITSOptions } from 'openapi-typescript';
import ts from 'typescript';

/**
 * `paths`, `operations` and `components` of the document as TypeScript, not yet formatted. The messages of live sessions
 * are among the components.
 *
 * @param live The AsyncAPI document over the same schemas.
 */
export async function generateOpenApiTypes(document: JsonObject, live?: JsonObject): Promise<string> {
  const prepared = prepareDocument(document, live === undefined ? {} : liveMessages(new SpecDocument(live)));
  // The generator's type of a document is narrower than JSON; it checks the value itself.
  const nodes = await openapiTypeScript(prepared as unknown as OpenAPI3, {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
    transform: typeOfMark,
  });
  const { sent } = reachOfSchemas(new SpecDocument(document));
  const types = astToString(nodes.map((node) => forCallers(node, sent)));
  const imports = ['BinaryInput', 'BinaryOutput'].filter((name) => new RegExp(`\\b${name}\\b`).test(types));
  const statement =
    imports.length > 0 ? `import type { ${imports.join(', ')} } from '../binary.ts';\n\n` : '';
  return statement + types;
}

/**
 * What a caller writes is typed for a caller: an optional field may be `undefined`, which `exactOptionalPropertyTypes` would
 * refuse, and a list may be a readonly one.
 */
function forCallers(root: ts.Node, sent: ReadonlySet<string>): ts.Node {
  const optional = (node: ts.PropertySignature, type: ts.TypeNode): ts.PropertySignature => {
    const undefinedType = ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
    const types = ts.isUnionTypeNode(type) ? type.types : [type];
    const isNever = type.kind === ts.SyntaxKind.NeverKeyword;
    const wider = isNever ? type : ts.factory.createUnionTypeNode([...types, undefinedType]);
    return ts.factory.updatePropertySignature(node, node.modifiers, node.name, node.questionToken, wider);
  };
  const widen = (node: ts.Node): ts.Node => {
    const inside = ts.visitEachChild(node, widen, undefined);
    if (ts.isArrayTypeNode(inside))
      return ts.factory.createTypeOperatorNode(ts.SyntaxKind.ReadonlyKeyword, inside);
    return ts.isPropertySignature(inside) && inside.questionToken && inside.type
      ? optional(inside, inside.type)
      : inside;
  };
  const find = (node: ts.Node): ts.Node => {
    const name = ts.isPropertySignature(node) ? nameOf(node) : undefined;
    return name === 'parameters' || (name !== undefined && sent.has(name))
      ? widen(node)
      : ts.visitEachChild(node, find, undefined);
  };
  return find(root);
}

function nameOf({ name }: ts.PropertySignature): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined;
}

const typeOfMark: NonNullable<OpenAPITSOptions['transform']> = (schema) => {
  const marked = new Map<string, unknown>(Object.entries(schema));
  if (marked.get(marks.open)) return anyString();
  const binary = marked.get(marks.binary);
  if (binary === 'message') return ts.factory.createTypeReferenceNode('Uint8Array');
  if (binary !== undefined)
    return ts.factory.createTypeReferenceNode(binary === 'received' ? 'BinaryOutput' : 'BinaryInput');
  return undefined;
};

/** `(string & {})`: any string, without swallowing the literals beside it that an editor offers. */
function anyString(): ts.TypeNode {
  const string = ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
  const empty = ts.factory.createTypeLiteralNode([]);
  return ts.factory.createParenthesizedType(ts.factory.createIntersectionTypeNode([string, empty]));
}

/** Marks the preparation leaves in schemas for the type hook to read. */
const marks = { binary: 'x-binary', open: 'x-open' } as const;

const openString: JsonObject = { type: 'string', [marks.open]: true };

/**
 * The document as the type generator can take it: it knows OpenAPI up to 3.1 and would turn what is new
 * (`itemSchema`) or unknown to it (open enums, binary, closed branches) into `unknown`, `string` or nothing at all.
 */
function prepareDocument(source: JsonObject, messages: JsonObject): JsonObject {
  const document = new SpecDocument(source);
  const received = new Set(receivedOnly(reachOfSchemas(document)));
  const components = document.objectAt('/components');
  const schemas = Object.fromEntries(
    Object.entries(document.objectAt('/components/schemas')).map(([name, value]) => {
      const schema = mergeBranches(document, document.resolve(value));
      const opened = received.has(name) ? prepareReceived(document, schema) : schema;
      return [name, walk(opened, (node) => describeReference(document, openMarkedEnum(node)))];
    }),
  );
  const { schemas: _, ...otherComponents } = components;
  const { openapi: _version, components: _components, ...rest } = source;
  return {
    openapi: '3.1.1',
    ...mapObject(rest, (value) => walk(value, prepareNode(document))),
    components: {
      ...mapObject(otherComponents, (value) => walk(value, prepareNode(document))),
      schemas: { ...schemas, ...messages },
    },
  };
}

/** The schemas of the messages of live sessions, by name. Their bytes come as MessagePack gives them. */
function liveMessages(document: SpecDocument): JsonObject {
  const messages = Object.values(document.objectAt('/components/messages')).map((message) => {
    const { payload } = document.resolve(message);
    const schema = document.resolve(payload);
    const marked = walk(schema, (node) => openMarkedEnum(bytesAs(node, 'message')));
    return [document.nameOf(payload) ?? '', marked];
  });
  return Object.fromEntries(messages);
}

function prepareNode(document: SpecDocument) {
  return (node: JsonObject) =>
    inlineOptionalHeaders(document, typeItemSchema(document, openMarkedEnum(node)));
}

/** The generator types a referenced header as always present, so an optional one is written in place. */
function inlineOptionalHeaders(document: SpecDocument, node: JsonObject): JsonObject {
  if (!isObject(node.headers)) return node;
  const headers = mapObject(node.headers, (header) => {
    const resolved = document.resolve(header);
    return resolved.required === true ? header : resolved;
  });
  return { ...node, headers };
}

/** A stream has one schema per item; readers want the payload, if the item carries one as text. */
function typeItemSchema(document: SpecDocument, node: JsonObject): JsonObject {
  const { itemSchema, ...mediaType } = node;
  if (itemSchema === undefined || node.schema !== undefined) return node;
  const payload = document.properties(itemSchema).get('data')?.contentSchema;
  return { ...mediaType, schema: payload ?? itemSchema };
}

/** `x-open-enum: true`: the branch of any string keeps editor suggestions for the named values. */
function openMarkedEnum(node: JsonObject): JsonObject {
  if (node['x-open-enum'] !== true || !Array.isArray(node.anyOf)) return node;
  const anyOf = node.anyOf.map((branch: Json) =>
    isObject(branch) && branch.enum === undefined && branch.type === 'string'
      ? { ...branch, ...openString }
      : branch,
  );
  return { ...node, anyOf };
}

/** A service may answer with unknown values, and no program may fail on them. Bytes have the type in which they are received. */
function prepareReceived(document: SpecDocument, schema: JsonObject): JsonObject {
  const open = (value: Json): Json => {
    const flat = isObject(value) ? document.flatten(value) : undefined;
    if (!isObject(value) || !flat || !isStringEnum(flat)) return value;
    const { $ref, allOf, type: _type, enum: values, ...words } = value;
    const branch: JsonObject = $ref ? { $ref } : allOf ? { allOf } : { type: 'string', enum: values ?? [] };
    return { ...described(flat), ...words, anyOf: [branch, openString] };
  };
  return walk(schema, (node) => ({
    ...bytesAs(node, 'received'),
    ...(isObject(node.properties) ? { properties: mapObject(node.properties, open) } : {}),
    ...(isObject(node.items) ? { items: open(node.items) } : {}),
  })) as JsonObject;
}

/** Received bytes have another type than sent bytes. */
function bytesAs(node: JsonObject, shape: 'received' | 'message'): JsonObject {
  return node[marks.binary] === true ? { ...node, [marks.binary]: shape } : node;
}

/** Editors show no description for a property that is a bare reference; it gets that of its target. */
function describeReference(document: SpecDocument, node: JsonObject): JsonObject {
  if (!isObject(node.properties)) return node;
  const properties = mapObject(node.properties, (property) =>
    isObject(property) && typeof property.$ref === 'string'
      ? { allOf: [{ $ref: property.$ref }], ...described(document.flatten(property)) }
      : property,
  );
  return { ...node, properties };
}

function described({ description, default: value }: JsonObject): JsonObject {
  return {
    ...(description === undefined ? {} : { description }),
    ...(value === undefined ? {} : { default: value }),
  };
}

/** Merges a field of several branches: all descriptions, and its different shapes. */
interface MergedField {
  readonly words: string[];
  readonly shapes: Map<string, JsonObject>;
}

/**
 * A choice among closed objects, as one object with the fields of all of them: a caller writes one plain request, and the
 * rules of the specification say which fields go together. Anything else stays as it is.
 */
function mergeBranches(document: SpecDocument, schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  const branches = Array.isArray(anyOf) ? anyOf.map((branch) => document.resolve(branch)) : [];
  if (branches.length === 0 || !branches.every(isClosed)) return schema;
  const merged = new Map<string, MergedField>();
  for (const branch of branches) {
    for (const [name, property] of Object.entries(isObject(branch.properties) ? branch.properties : {})) {
      const { description = '', type = null, items } = document.resolve(property);
      const field: MergedField = merged.get(name) ?? { words: [], shapes: new Map() };
      field.words.push(`${branch.title}: ${description}`);
      const shape = { type, ...(items !== undefined && { items }) };
      field.shapes.set(JSON.stringify(shape), shape);
      merged.set(name, field);
    }
  }
  return {
    ...rest,
    allOf: branches[0]?.allOf ?? [],
    type: 'object',
    required: requiredNames(branches[0]).filter((name) =>
      branches.every((branch) => requiredNames(branch).includes(name)),
    ),
    properties: Object.fromEntries(
      [...merged].map(([name, { words, shapes }]) => [
        name,
        { description: words.join('\n'), anyOf: [...shapes.values()] },
      ]),
    ),
  };
}

function requiredNames(schema: JsonObject | undefined): readonly Json[] {
  return Array.isArray(schema?.required) ? schema.required : [];
}

function isClosed(schema: JsonObject): boolean {
  return schema.unevaluatedProperties === false || schema.additionalProperties === false;
}

function isStringEnum(schema: JsonObject): boolean {
  return Array.isArray(schema.enum) && schema.enum.every((value: Json) => typeof value === 'string');
}

function mapObject(object: JsonObject, change: (value: Json) => Json): { [key: string]: Json } {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/**
 * Applies a change to every object from the outside in.
 * The comments of the types are made from what is left: titles, which say what the names say, and examples too large for a
 * comment go, an empty default shows its quotes.
 */
function walk(value: Json, change: (node: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((entry: Json) => walk(entry, change));
  if (!isObject(value)) return value;
  const { title: _, example, examples, default: fallback, properties, ...node } = change(value);
  const shown = Array.isArray(examples) ? examples.filter(fitsComment) : [];
  return {
    ...mapObject(node, (entry) => walk(entry, change)),
    // The keys of `properties` are names, which may be those of keywords.
    ...(isObject(properties) ? { properties: mapObject(properties, (entry) => walk(entry, change)) } : {}),
    ...(fallback === undefined ? {} : { default: fallback === '' ? "''" : fallback }),
    ...(example !== undefined && fitsComment(example) ? { example } : {}),
    ...(shown.length === 0 ? {} : { examples: shown }),
  };
}

function fitsComment(example: Json): boolean {
  return example !== '' && (typeof example !== 'object' || example === null);
}
