import type { JsonObject, JsonValue } from './json.ts';
import { isObject, pointerTo } from './json.ts';
import { type MemberShape, members, type ObjectKind } from './openapi-31-fields.ts';

/** A document uses something of OpenAPI 3.2 that OpenAPI 3.1 has no words for. */
export class DownLevelError extends Error {
  override readonly name = 'DownLevelError';
  /** One sentence a place, each beginning with the JSON pointer to it. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`OpenAPI 3.1 cannot express this document:\n${problems.join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Rewrites a bundled OpenAPI 3.2 document as OpenAPI 3.1.
 *
 * A stream's `itemSchema` becomes `x-itemSchema`, and a string schema stands in its place: the body of a stream, as
 * a reader of 3.1 sees it, is text. The `dataValue` and `serializedValue` of an example become its `value`.
 * Everything else has to exist in 3.1 already.
 *
 * @throws DownLevelError naming every place that 3.1 cannot express, so that nothing is lost without a word.
 */
export function downLevel(document: JsonObject): JsonObject {
  const problems: string[] = [];
  const result = rewriteObject(document, 'document', '', problems);
  if (problems.length > 0) throw new DownLevelError(problems);
  return { ...result, openapi: '3.1.1' };
}

function rewriteObject(source: JsonObject, kind: ObjectKind, at: string, problems: string[]): JsonObject {
  // A reference holds nothing of its own; what it leads to is looked at where it stands.
  if (typeof source.$ref === 'string' && kind !== 'pathItem') return source;
  const known: Readonly<Record<string, MemberShape>> = members[kind];
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(replaceNewMembers(source, kind, at, problems))) {
    const shape = name.startsWith('x-') ? 'any' : known[name];
    const place = pointerTo(at, name);
    if (shape === undefined) problems.push(`#${place}: "${name}" is not a member of a ${kind} in 3.1`);
    else result[name] = rewrite(value, shape, place, problems);
  }
  findNewValues(result, kind, at, problems);
  return result;
}

function rewrite(value: JsonValue, shape: MemberShape, at: string, problems: string[]): JsonValue {
  if (shape === 'any') return value;
  if (typeof shape === 'string') return isObject(value) ? rewriteObject(value, shape, at, problems) : value;
  if ('listOf' in shape) {
    return Array.isArray(value)
      ? value.map((item, index) => rewrite(item, shape.listOf, pointerTo(at, index), problems))
      : value;
  }
  if (!isObject(value)) return value;
  const inner = 'mapOf' in shape ? shape.mapOf : { mapOf: shape.mapOfMapOf };
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name.startsWith('x-') && !isObject(item) ? item : rewrite(item, inner, pointerTo(at, name), problems),
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
  return source;
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
