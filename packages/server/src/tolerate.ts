import { defaultModel, headerNames } from '@speech-api/types';
import { type OpenApiDocument, resolveReference, type Schema } from './spec/document.ts';
import { itemsOf, propertiesOf, typesOf } from './spec/schema.ts';
import { loadTolerances, type ToleranceEntry } from './spec/tolerances.ts';
import { chooseBranch } from './validate/validator.ts';

/** A decoded request before any schema has judged it. */
export interface LooseRequest {
  /** Header parameters of the operation, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** The operation of a request, with its schemas. */
export interface ToleratedOperation {
  readonly document: OpenApiDocument;
  readonly headerNames: readonly string[];
  readonly querySchema: Schema;
  readonly bodySchema: Schema | undefined;
}

type Normaliser = (request: LooseRequest, operation: ToleratedOperation) => LooseRequest;

/**
 * Normalises what a lenient server accepts beyond the spec: one step, after a faithful decode and before any check.
 * The spec lists the tolerances; this file implements each one by its id.
 *
 * @returns a new request; the given one is left as it is
 */
export function tolerate(
  request: LooseRequest,
  operation: ToleratedOperation,
  tolerances: readonly ToleranceEntry[] = loadTolerances(),
): LooseRequest {
  return tolerances.reduce(
    (current, entry) => normalisers[entry.id]?.(current, operation) ?? current,
    request,
  );
}

/** Tolerances that loosen a rule instead of a schema: nothing is rewritten, the rule is skipped. */
export function skippedRules(tolerances: readonly ToleranceEntry[] = loadTolerances()): ReadonlySet<string> {
  return new Set(tolerances.filter((entry) => entry.refused_by === 'rule').map((entry) => entry.id));
}

export const normalisers: Readonly<Record<string, Normaliser>> = {
  'explicit-nulls': (request, { document, bodySchema }) =>
    bodySchema ? { ...request, body: withoutNulls(document, bodySchema, request.body) } : request,

  'empty-references': (request) => {
    const body = fields(request.body);
    if (body === undefined || !isEmptyArray(body.references)) return request;
    const { references: _, ...rest } = body;
    return { ...request, body: rest };
  },

  'unknown-keys': (request, { document, bodySchema, querySchema }) => ({
    ...request,
    query: Object.fromEntries(
      Object.entries(request.query).filter(([name]) =>
        Object.hasOwn(querySchema.properties ?? {}, name.replace(/\[\]$/, '')),
      ),
    ),
    body: bodySchema ? withoutUnknown(document, bodySchema, request.body) : request.body,
  }),

  'missing-model-header': (request, operation) =>
    operation.headerNames.includes(headerNames.model) && request.headers[headerNames.model] === undefined
      ? { ...request, headers: { ...request.headers, [headerNames.model]: defaultModel } }
      : request,

  'bracketed-query-arrays': (request) => {
    const query: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(request.query)) {
      const plain = name.replace(/\[\]$/, '');
      const list = plain === name ? value : [value].flat();
      query[plain] = Object.hasOwn(query, plain) ? [query[plain], list].flat() : list;
    }
    return { ...request, query };
  },

  'comma-joined-tags': (request) => withField(request, 'tags', splitTags),

  'comma-joined-texts': (request) => {
    const voices = fields(request.body)?.voices;
    const count = Array.isArray(voices) ? voices.length : 1;
    return withField(request, 'texts', (value) => splitTexts(value, count));
  },

  'cover-image-file': (request, operation) =>
    isString(operation, 'cover_image') ? withField(request, 'cover_image', dataUrl) : request,

  'opus-bitrate-in-kbps': (request, { document, bodySchema }) => {
    const body = fields(request.body);
    if (body === undefined || bodySchema === undefined || body.format === 'opus') return request;
    return withField(request, 'opus_bitrate', (value) => {
      const allowed = document.components.schemas?.SynthesisSettings as Schema | undefined;
      const rates = allowed?.properties?.opus_bitrate?.enum ?? [];
      return typeof value === 'number' && !rates.includes(value) && rates.includes(value * 1000)
        ? value * 1000
        : value;
    });
  },
};

/** Whether the body has a field of this name that is text rather than a file. */
function isString({ document, bodySchema }: ToleratedOperation, name: string): boolean {
  const property = bodySchema && propertiesOf(document, bodySchema).get(name);
  if (property === undefined || !typesOf(document, property).has('string')) return false;
  return resolveReference(document, property)['x-binary'] !== true;
}

/** The first bytes of pictures, in hex. */
const pictures: readonly (readonly [RegExp, string])[] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^47494638/, 'image/gif'],
  [/^52494646.{8}57454250/, 'image/webp'],
];

function dataUrl(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value;
  const head = Buffer.from(value.subarray(0, 12)).toString('hex');
  const mediaType = pictures.find(([start]) => start.test(head))?.[1] ?? 'application/octet-stream';
  return `data:${mediaType};base64,${Buffer.from(value).toString('base64')}`;
}

function withField(request: LooseRequest, name: string, change: (value: unknown) => unknown): LooseRequest {
  const body = fields(request.body);
  if (body === undefined || !Object.hasOwn(body, name)) return request;
  return { ...request, body: { ...body, [name]: change(body[name]) } };
}

function fields(body: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject =
    typeof body === 'object' && body !== null && !Array.isArray(body) && !(body instanceof Uint8Array);
  return isObject ? (body as Record<string, unknown>) : undefined;
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

type ChangeEntries = (
  entries: readonly [string, unknown][],
  properties: ReadonlyMap<string, Schema>,
) => readonly [string, unknown][];

/** A copy without the fields that are null where their schema has no null: they mean "left out". */
export function withoutNulls(document: OpenApiDocument, schema: Schema, value: unknown): unknown {
  return rebuild(document, schema, value, (entries, properties) =>
    entries.filter(([name, field]) => {
      const property = properties.get(name);
      return field !== null || property === undefined || typesOf(document, property).has('null');
    }),
  );
}

/** A copy without the fields that a closed schema does not name. */
export function withoutUnknown(document: OpenApiDocument, schema: Schema, value: unknown): unknown {
  return rebuild(document, schema, value, (entries, properties) =>
    // A schema without properties is an open one, such as a free-form object.
    properties.size === 0 ? entries : entries.filter(([name]) => properties.has(name)),
  );
}

function rebuild(document: OpenApiDocument, schema: Schema, value: unknown, change: ChangeEntries): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) {
    const items = itemsOf(document, schema);
    return items ? value.map((item) => rebuild(document, items, item, change)) : value;
  }
  const branch = resolveReference(document, chooseBranch(schema, value));
  const properties = propertiesOf(document, branch);
  return Object.fromEntries(
    change(Object.entries(value), properties).map(([name, field]) => {
      const property = properties.get(name);
      return [name, property ? rebuild(document, property, field, change) : field];
    }),
  );
}

/** `"calm, warm,,english"` as `["calm", "warm", "english"]`; also where a form gave one such string in a list. */
export function splitTags(value: unknown): unknown {
  const joined = onlyString(value);
  if (joined === undefined) return value;
  return joined
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * Transcripts joined by commas, one for each voice. A transcript may hold commas itself, so the string is split only
 * when it falls into exactly as many parts as there are voices.
 */
export function splitTexts(value: unknown, voices: number): unknown {
  const joined = onlyString(value);
  const parts = joined?.split(',').map((part) => part.trim());
  if (joined === undefined || parts === undefined) return value;
  return parts.length === voices ? parts : [joined];
}

function onlyString(value: unknown): string | undefined {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof only === 'string' ? only : undefined;
}
