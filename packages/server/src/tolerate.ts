import type { SpecDocument } from '@speech-api/spec/read';
import { defaultModel, headerNames, opusBitrates, tolerances } from '@speech-api/types';
import { maximumIssues } from './answer.ts';
import type { Operation } from './operations.ts';
import { isBytes, isObject, itemsOf, propertiesOf, type Schema, takesBytes, typesOf } from './schema.ts';
import { chooseBranch } from './validator.ts';

/** A decoded request that no schema has checked yet. */
export interface LooseRequest {
  /** Header parameters of the operation, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** The operation of a request, with its schemas. */
export interface ToleratedOperation {
  readonly document: SpecDocument;
  readonly parameters: Operation['parameters'];
  readonly bodySchema: Schema | undefined;
}

type Normaliser = (request: LooseRequest, operation: ToleratedOperation) => LooseRequest;

/**
 * Normalises what a lenient server accepts beyond the spec: one step, after a faithful decode and before any check.
 * The spec lists the tolerances; this file implements each one by its id.
 *
 * @returns a new request; the given one is left as it is
 */
export function tolerate(request: LooseRequest, operation: ToleratedOperation): LooseRequest {
  return tolerances.reduce((current, { id }) => normalisers[id]?.(current, operation) ?? current, request);
}

export const normalisers: Readonly<Record<string, Normaliser>> = {
  'explicit-nulls': (request, { document, bodySchema }) =>
    bodySchema ? { ...request, body: withoutNulls(document, bodySchema, request.body) } : request,

  'empty-references': (request) => {
    const { body } = request;
    if (!isObject(body) || !Array.isArray(body.references) || body.references.length > 0) return request;
    const { references: _, ...rest } = body;
    return { ...request, body: rest };
  },

  'unknown-keys': (request, { document, bodySchema, parameters }) => ({
    ...request,
    query: Object.fromEntries(
      Object.entries(request.query).filter(([name]) =>
        Object.hasOwn(parameters.query.properties ?? {}, name.replace(/\[\]$/, '')),
      ),
    ),
    body: bodySchema ? withoutUnknown(document, bodySchema, request.body) : request.body,
  }),

  'missing-model-header': (request, { parameters }) =>
    Object.hasOwn(parameters.header.properties ?? {}, headerNames.model) &&
    request.headers[headerNames.model] === undefined
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
    const voices = isObject(request.body) ? request.body.voices : undefined;
    const count = Array.isArray(voices) ? voices.length : 1;
    return withField(request, 'texts', (value) => splitTexts(value, count));
  },

  'cover-image-file': (request, operation) =>
    isString(operation, 'cover_image') ? withField(request, 'cover_image', dataUrl) : request,

  'capitalised-booleans': (request, { document, bodySchema }) =>
    bodySchema ? { ...request, body: withBooleans(document, bodySchema, request.body) } : request,

  'opus-bitrate-in-kbps': (request) =>
    withField(request, 'opus_bitrate', (value) => {
      const rates: readonly unknown[] = opusBitrates;
      const isMeant = typeof value === 'number' && !rates.includes(value) && rates.includes(value * 1000);
      return isMeant ? value * 1000 : value;
    }),
};

/** True if the body has a text field of this name that should be a file. */
function isString({ document, bodySchema }: ToleratedOperation, name: string): boolean {
  const property = bodySchema && propertiesOf(document, bodySchema).get(name);
  return (
    property !== undefined && typesOf(document, property).has('string') && !takesBytes(document, property)
  );
}

/** Browsers recognise a picture by its bytes, whatever type its address names. */
function dataUrl(value: unknown): unknown {
  if (!isBytes(value)) return value;
  return `data:application/octet-stream;base64,${Buffer.from(value).toString('base64')}`;
}

function withField(
  { body, ...others }: LooseRequest,
  name: string,
  change: (value: unknown) => unknown,
): LooseRequest {
  const has = isObject(body) && Object.hasOwn(body, name);
  return { ...others, body: has ? { ...body, [name]: change(body[name]) } : body };
}

type ChangeEntries = (
  entries: readonly [string, unknown][],
  properties: ReadonlyMap<string, Schema>,
) => readonly [string, unknown][];

/** A copy without the fields that are null where their schema has no null: they mean "left out". */
export function withoutNulls(document: SpecDocument, schema: Schema, value: unknown): unknown {
  return rebuild(document, schema, value, (entries, properties) =>
    entries.filter(([name, field]) => {
      const property = properties.get(name);
      return field !== null || property === undefined || typesOf(document, property).has('null');
    }),
  );
}

/** A copy without the fields that a closed schema does not name. */
export function withoutUnknown(document: SpecDocument, schema: Schema, value: unknown): unknown {
  return rebuild(document, schema, value, (entries, properties) =>
    // A schema without properties is open, such as a free-form object.
    properties.size === 0 ? entries : entries.filter(([name]) => properties.has(name)),
  );
}

/**
 * A copy with only the first of the fields that a closed schema does not name, as many as a refusal shows. More of them are
 * not worth the time: a body may have a hundred thousand.
 */
export function withFewUnknown(document: SpecDocument, schema: Schema, value: unknown): unknown {
  return rebuild(document, schema, value, (entries, properties) => {
    const unknown = entries.filter(([name]) => !properties.has(name));
    if (properties.size === 0 || unknown.length <= maximumIssues) return entries;
    const shown = new Set(unknown.slice(0, maximumIssues));
    return entries.filter((entry) => properties.has(entry[0]) || shown.has(entry));
  });
}

function withBooleans(document: SpecDocument, schema: Schema, value: unknown): unknown {
  return rebuild(document, schema, value, (entries, properties) =>
    entries.map(([name, field]) => {
      const property = properties.get(name);
      const isMeant = property !== undefined && typesOf(document, property).has('boolean');
      return [name, isMeant && (field === 'True' || field === 'False') ? field === 'True' : field];
    }),
  );
}

function rebuild(document: SpecDocument, schema: Schema, value: unknown, change: ChangeEntries): unknown {
  if (typeof value !== 'object' || value === null || isBytes(value)) return value;
  if (Array.isArray(value)) {
    const items = itemsOf(document, schema);
    return items ? value.map((item) => rebuild(document, items, item, change)) : value;
  }
  const branch = chooseBranch(schema, value);
  const properties = propertiesOf(document, branch);
  return Object.fromEntries(
    change(Object.entries(value), properties).map(([name, field]) => {
      const property = properties.get(name);
      return [name, property ? rebuild(document, property, field, change) : field];
    }),
  );
}

/** Splits `"calm, warm,,english"` into `["calm", "warm", "english"]`, even if a form sent it as the only list item. */
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
