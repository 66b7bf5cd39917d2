import { readBuilt, SpecDocument } from '@speech-api/spec/read';

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

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface RequestBody {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface DocumentResponse {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface DocumentOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses?: Readonly<Record<string, DocumentResponse>>;
}

/** The bundled OpenAPI document, as far as a server needs to read it. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The bundled document of `@speech-api/spec`. */
export function loadDocument(): OpenApiDocument {
  return load('openapi.json');
}

/** The bundled AsyncAPI document of live sessions, as far as its components: it has no paths. */
export function loadLiveDocument(): OpenApiDocument {
  return load('asyncapi.json');
}

const loaded = new Map<string, OpenApiDocument>();

function load(file: string): OpenApiDocument {
  // The shape is that of a built document, which the tests of the specification check.
  const built = readBuilt(file) as Partial<OpenApiDocument>;
  const document = loaded.get(file) ?? { paths: {}, components: {}, ...built };
  loaded.set(file, document);
  return document;
}

/**
 * Follows `$ref` until something else is there.
 *
 * @throws Error when a reference points nowhere: the document is broken, and a server must not start on it
 */
export function resolveReference<Item extends object>(document: OpenApiDocument, item: Item): Item {
  // The document says what is at the end of a reference; a reference to a parameter ends at a parameter.
  return '$ref' in item ? (new SpecDocument(document).resolve(item) as unknown as Item) : item;
}
