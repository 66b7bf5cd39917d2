import { isObject, type Json, type JsonObject, pointerPart } from '../read.ts';
import { closeSchemas } from './close-schemas.ts';
import { differences } from './differences.ts';
import { forEachKind, members, type ObjectKind } from './openapi-31-fields.ts';

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
 * Rewrites a bundled OpenAPI 3.2 document as OpenAPI 3.1 by the list of {@link differences}. Everything that is not on
 * the list has to exist in 3.1 already.
 *
 * @throws DownLevelError naming every place that 3.1 cannot express, so that nothing is lost without a word.
 */
export function downLevel(document: JsonObject): JsonObject {
  const problems: string[] = [];
  const result = differences.reduce((changed, difference) => difference.apply(changed, problems), document);
  forEachKind(result, (source, kind, at) => {
    for (const name of Object.keys(source)) {
      if (name.startsWith('x-') || Object.hasOwn(members[kind], name)) continue;
      problems.push(`#${at}${pointerPart(name)}: "${name}" is not a member of a ${kind} in 3.1`);
    }
    findNewValues(source, kind, at, problems);
  });
  findNewSchemaMembers(result, '', problems);
  if (problems.length > 0) throw new DownLevelError('OpenAPI 3.1', problems);
  return { ...result, openapi: '3.1.1' };
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
