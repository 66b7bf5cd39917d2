import type { Json, JsonObject } from '../read.ts';
import { isObject, pointerPart } from '../read.ts';
import { closeSchemas } from './close-schemas.ts';
import { type MemberShape, members, type ObjectKind } from './openapi-31-fields.ts';

const connectionHeaders: readonly string[] = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade'];

/** A document uses something that the older standard cannot express. */
export class DownLevelError extends Error {
  override readonly name = 'DownLevelError';
  /** One sentence a place, each beginning with the JSON pointer to it. */
  readonly problems: readonly string[];

  constructor(standard: string, problems: readonly string[]) {
    super(`${standard} cannot express this document:\n${problems.join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Rewrites a bundled OpenAPI 3.2 document as OpenAPI 3.1.
 *
 * A stream's `itemSchema` becomes `x-itemSchema`, and a string schema replaces it: the body of a stream, as
 * a reader of 3.1 sees it, is text. The `dataValue` and `serializedValue` of an example become its `value`.
 * Closed schemas are written in the way that tools for 3.1 know, and headers that belong to the connection are set
 * aside. Everything else has to exist in 3.1 already.
 *
 * @throws DownLevelError naming every place that 3.1 cannot express, so that nothing is lost without a word.
 */
export function downLevel(document: JsonObject): JsonObject {
  const problems: string[] = [];
  const result = rewriteObject(document, 'document', '', problems);
  findNewSchemaMembers(result, '', problems);
  const closed = closeSchemas(result, problems);
  if (problems.length > 0) throw new DownLevelError('OpenAPI 3.1', problems);
  return { ...closed, openapi: '3.1.1' };
}

/**
 * Writes the schemas of a bundled AsyncAPI document in the draft of JSON Schema that AsyncAPI reads.
 *
 * @throws DownLevelError naming every schema that cannot be written so.
 */
export function downLevelLive(document: JsonObject): JsonObject {
  const problems: string[] = [];
  const closed = closeSchemas(document, problems);
  if (problems.length > 0) throw new DownLevelError('AsyncAPI 3', problems);
  return closed;
}

function rewriteObject(source: JsonObject, kind: ObjectKind, at: string, problems: string[]): JsonObject {
  // A reference holds nothing of its own; what it leads to is looked at where it stands.
  if (typeof source.$ref === 'string' && kind !== 'pathItem') return source;
  const known: Readonly<Record<string, MemberShape>> = members[kind];
  const result: Record<string, Json> = {};
  for (const [name, value] of Object.entries(replaceNewMembers(source, kind, at, problems))) {
    const shape = name.startsWith('x-') ? 'any' : known[name];
    const place = at + pointerPart(name);
    if (shape === undefined) problems.push(`#${place}: "${name}" is not a member of a ${kind} in 3.1`);
    else result[name] = rewrite(value, shape, place, problems);
  }
  findNewValues(result, kind, at, problems);
  return result;
}

function rewrite(value: Json, shape: MemberShape, at: string, problems: string[]): Json {
  if (shape === 'any') return value;
  if (typeof shape === 'string') return isObject(value) ? rewriteObject(value, shape, at, problems) : value;
  if ('listOf' in shape) {
    return Array.isArray(value)
      ? value.map((item, index) => rewrite(item, shape.listOf, at + pointerPart(index), problems))
      : value;
  }
  if (!isObject(value)) return value;
  const inner = 'mapOf' in shape ? shape.mapOf : { mapOf: shape.mapOfMapOf };
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name.startsWith('x-') && !isObject(item)
        ? item
        : rewrite(item, inner, at + pointerPart(name), problems),
    ]),
  );
}

/** The members of 3.2 that 3.1 can express in another way. */
function replaceNewMembers(source: JsonObject, kind: ObjectKind, at: string, problems: string[]): JsonObject {
  if (kind === 'mediaType' && source.itemSchema !== undefined) {
    const { itemSchema, schema, ...rest } = source;
    if (schema !== undefined) {
      problems.push(`#${at}: a schema beside itemSchema; 3.1 has room for one of them`);
    }
    return {
      schema: {
        type: 'string',
        description: 'The events of the stream as text; each one is described by x-itemSchema.',
      },
      'x-itemSchema': itemSchema ?? null,
      ...rest,
    };
  }
  if (kind === 'example' && (source.dataValue !== undefined || source.serializedValue !== undefined)) {
    const { dataValue, serializedValue, ...rest } = source;
    const values = [dataValue, serializedValue, rest.value, rest.externalValue];
    if (values.filter((value) => value !== undefined).length > 1) {
      problems.push(`#${at}: more than one value; 3.1 has room for one of them`);
    }
    return { ...rest, value: dataValue ?? serializedValue ?? null };
  }
  if (kind === 'response' && isObject(source.headers))
    return setConnectionHeadersAside(source, source.headers);
  return source;
}

/**
 * Headers of the connection are not the answerer's to choose: a mock server that copies `transfer-encoding` from the
 * document sends it beside `content-length`, and no client reads such an answer.
 */
function setConnectionHeadersAside(response: JsonObject, headers: JsonObject): JsonObject {
  const entries = Object.entries(headers);
  const connection = entries.filter(([name]) => connectionHeaders.includes(name.toLowerCase()));
  if (connection.length === 0) return response;
  const others = entries.filter(([name]) => !connectionHeaders.includes(name.toLowerCase()));
  return {
    ...response,
    headers: Object.fromEntries(others),
    'x-connection-headers': Object.fromEntries(connection),
  };
}

/** Values that 3.2 allows in members that 3.1 has too. */
function findNewValues(source: JsonObject, kind: ObjectKind, at: string, problems: string[]): void {
  if (kind === 'parameter' && source.in === 'querystring') {
    problems.push(`#${at}/in: "querystring" is not a place for a parameter in 3.1`);
  }
  if (kind === 'parameter' && source.style === 'cookie') {
    problems.push(`#${at}/style: "cookie" is not a style in 3.1`);
  }
  if (kind === 'response' && source.description === undefined) {
    problems.push(`#${at}: a response without a description; 3.1 requires one`);
  }
}

/** Members that 3.2 added to what stands inside schemas, wherever a schema stands. */
function findNewSchemaMembers(value: Json, at: string, problems: string[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      findNewSchemaMembers(item, at + pointerPart(index), problems);
  }
  if (!isObject(value)) return;
  const { discriminator, xml } = value;
  if (isObject(discriminator) && discriminator.defaultMapping !== undefined) {
    problems.push(`#${at}/discriminator/defaultMapping: a discriminator has no default in 3.1`);
  }
  if (isObject(xml) && xml.nodeType !== undefined) {
    problems.push(`#${at}/xml/nodeType: the kind of an XML node cannot be chosen in 3.1`);
  }
  for (const [name, item] of Object.entries(value))
    findNewSchemaMembers(item, at + pointerPart(name), problems);
}
