import { isObject, type Json, type JsonObject, pointerPart } from '../read.ts';

/** The kinds of object an OpenAPI document is made of, as far as OpenAPI 3.1 and 3.2 differ in their members. */
export type ObjectKind = keyof typeof members;

/** The content of a member of an object: a kind of object, several of them, or nothing that has to be looked into. */
export type MemberShape =
  | 'any'
  | ObjectKind
  | { readonly listOf: ObjectKind }
  | { readonly mapOf: ObjectKind }
  | { readonly mapOfMapOf: ObjectKind };

const content = { mapOf: 'mediaType' } as const;
const examples = { mapOf: 'example' } as const;
const headers = { mapOf: 'header' } as const;
const parameters = { listOf: 'parameter' } as const;
const servers = { listOf: 'server' } as const;

/**
 * Every member that OpenAPI 3.1 gives each kind of object.
 * A member that is not here exists in 3.2 alone, or nowhere.
 */
export const members = {
  document: {
    openapi: 'any',
    info: 'info',
    jsonSchemaDialect: 'any',
    servers,
    paths: { mapOf: 'pathItem' },
    webhooks: { mapOf: 'pathItem' },
    components: 'components',
    security: 'any',
    tags: { listOf: 'tag' },
    externalDocs: 'any',
  },
  info: {
    title: 'any',
    summary: 'any',
    description: 'any',
    termsOfService: 'any',
    contact: 'any',
    license: 'any',
    version: 'any',
  },
  server: { url: 'any', description: 'any', variables: 'any' },
  tag: { name: 'any', description: 'any', externalDocs: 'any' },
  components: {
    schemas: 'any',
    responses: { mapOf: 'response' },
    parameters: { mapOf: 'parameter' },
    examples,
    requestBodies: { mapOf: 'requestBody' },
    headers,
    securitySchemes: { mapOf: 'securityScheme' },
    links: 'any',
    callbacks: { mapOfMapOf: 'pathItem' },
    pathItems: { mapOf: 'pathItem' },
  },
  pathItem: {
    $ref: 'any',
    summary: 'any',
    description: 'any',
    get: 'operation',
    put: 'operation',
    post: 'operation',
    delete: 'operation',
    options: 'operation',
    head: 'operation',
    patch: 'operation',
    trace: 'operation',
    servers,
    parameters,
  },
  operation: {
    tags: 'any',
    summary: 'any',
    description: 'any',
    externalDocs: 'any',
    operationId: 'any',
    parameters,
    requestBody: 'requestBody',
    responses: { mapOf: 'response' },
    callbacks: { mapOfMapOf: 'pathItem' },
    deprecated: 'any',
    security: 'any',
    servers,
  },
  parameter: {
    name: 'any',
    in: 'any',
    description: 'any',
    required: 'any',
    deprecated: 'any',
    allowEmptyValue: 'any',
    style: 'any',
    explode: 'any',
    allowReserved: 'any',
    schema: 'any',
    example: 'any',
    examples,
    content,
  },
  requestBody: { description: 'any', content, required: 'any' },
  mediaType: { schema: 'any', example: 'any', examples, encoding: { mapOf: 'encoding' } },
  encoding: { contentType: 'any', headers, style: 'any', explode: 'any', allowReserved: 'any' },
  response: { description: 'any', headers, content, links: 'any' },
  header: {
    description: 'any',
    required: 'any',
    deprecated: 'any',
    style: 'any',
    explode: 'any',
    schema: 'any',
    example: 'any',
    examples,
    content,
  },
  example: { summary: 'any', description: 'any', value: 'any', externalValue: 'any' },
  securityScheme: {
    type: 'any',
    description: 'any',
    name: 'any',
    in: 'any',
    scheme: 'any',
    bearerFormat: 'any',
    flows: 'flows',
    openIdConnectUrl: 'any',
  },
  flows: { implicit: 'any', password: 'any', clientCredentials: 'any', authorizationCode: 'any' },
} as const satisfies Record<string, Record<string, unknown>>;

/**
 * Changes every object of one kind, from the outside in. A member of a kind that 3.1 does not have stays as it is.
 *
 * @param change Receives the object and the JSON pointer to it.
 */
export function changeKind(
  document: JsonObject,
  kind: ObjectKind,
  change: (source: JsonObject, at: string) => JsonObject,
): JsonObject {
  return rewriteObject(document, 'document', '', (source, its, at) =>
    its === kind ? change(source, at) : source,
  );
}

/** Visits every object of the document, with its kind and the JSON pointer to it. */
export function forEachKind(
  document: JsonObject,
  visit: (source: JsonObject, kind: ObjectKind, at: string) => void,
): void {
  rewriteObject(document, 'document', '', (source, kind, at) => {
    visit(source, kind, at);
    return source;
  });
}

type Change = (source: JsonObject, kind: ObjectKind, at: string) => JsonObject;

function rewriteObject(source: JsonObject, kind: ObjectKind, at: string, change: Change): JsonObject {
  // A reference holds nothing of its own; what it leads to is looked at where it stands.
  if (typeof source.$ref === 'string' && kind !== 'pathItem') return source;
  const known: Readonly<Record<string, MemberShape>> = members[kind];
  return Object.fromEntries(
    Object.entries(change(source, kind, at)).map(([name, value]) => [
      name,
      rewrite(value, known[name] ?? 'any', at + pointerPart(name), change),
    ]),
  );
}

function rewrite(value: Json, shape: MemberShape, at: string, change: Change): Json {
  if (shape === 'any') return value;
  if (typeof shape === 'string') return isObject(value) ? rewriteObject(value, shape, at, change) : value;
  if ('listOf' in shape) {
    return Array.isArray(value)
      ? value.map((item, index) => rewrite(item, shape.listOf, at + pointerPart(index), change))
      : value;
  }
  if (!isObject(value)) return value;
  const inner = 'mapOf' in shape ? shape.mapOf : { mapOf: shape.mapOfMapOf };
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name.startsWith('x-') && !isObject(item) ? item : rewrite(item, inner, at + pointerPart(name), change),
    ]),
  );
}
