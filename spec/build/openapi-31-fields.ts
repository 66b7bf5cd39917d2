/** The kinds of object an OpenAPI document is made of, as far as OpenAPI 3.1 and 3.2 differ in their members. */
export type ObjectKind = keyof typeof members;

/** What a member of an object holds: a kind of object, several of them, or nothing that has to be looked into. */
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
