import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A JSON Schema as it stands in the document. Read with care: it is data. */
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

const loaded = new Map<string, OpenApiDocument>();

/** The bundled document of `@speech-api/spec`, read once. */
export function loadDocument(): OpenApiDocument {
  return load('@speech-api/spec/openapi.json');
}

/** The bundled AsyncAPI document of live sessions, as far as its components: it has no paths. */
export function loadLiveDocument(): OpenApiDocument {
  return load('@speech-api/spec/asyncapi.json');
}

function load(name: string): OpenApiDocument {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const file = createRequire(import.meta.url).resolve(name);
  const read = JSON.parse(readFileSync(file, 'utf8')) as Partial<OpenApiDocument>;
  const document = { paths: {}, components: {}, ...read };
  loaded.set(name, document);
  return document;
}

/**
 * Follows `$ref` until something else stands there.
 *
 * @throws Error when a reference points nowhere: the document is broken, and a server must not start on it
 */
export function resolveReference<Item extends object>(document: OpenApiDocument, item: Item): Item {
  let current: Item = item;
  for (let hops = 0; hops < 20; hops += 1) {
    const reference = (current as { $ref?: unknown }).$ref;
    if (typeof reference !== 'string') return current;
    current = atPointer(document, reference) as Item;
  }
  throw new Error(`References of the document run in a circle at ${JSON.stringify(item)}.`);
}

function atPointer(document: OpenApiDocument, reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  let current: unknown = document;
  for (const step of steps) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    current =
      typeof current === 'object' && current !== null
        ? (current as Record<string, unknown>)[name]
        : undefined;
  }
  if (current === undefined) throw new Error(`The document has nothing at ${reference}.`);
  return current;
}
