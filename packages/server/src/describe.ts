import { tolerances } from '@speech-api/types';
import type { ErrorObject } from 'ajv';
import type { ParameterPlace } from './operations.ts';
import { clip, describePath, kindOf, listed, show, suggest, withArticle } from './words.ts';

/** A schema error in the words of the validation list, before it gets its place in the request. */
export interface DescribedError {
  readonly path: readonly string[];
  readonly type: string;
  readonly message: string;
  /** Values that the message refers to, as JSON; empty if there are none. */
  readonly context: string;
}

export interface Surroundings {
  /** Likely intended names for a field of the object at `path`. */
  knownNames(path: readonly string[]): Iterable<string>;
  isRequired(path: readonly string[]): boolean;
}

export type RequestPart = 'body' | ParameterPlace;

interface Subject {
  readonly part: RequestPart;
  readonly path: readonly string[];
  /** `prosody.speed`; empty for the whole part. */
  readonly name: string;
  /** The name with its part of the request, as the subject of a sentence. */
  readonly field: string;
  readonly value: unknown;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly surroundings: Surroundings;
}

interface Words {
  readonly type: string;
  readonly message: string;
  readonly context?: Readonly<Record<string, unknown>>;
  /** Location of the error, if it is not the validated value. */
  readonly at?: readonly string[];
}

/** Turns one error of Ajv into words that name the field, what would be right and what was given. */
export function describeError(
  error: ErrorObject,
  part: RequestPart,
  surroundings: Surroundings,
): DescribedError {
  const path = pathOf(error.instancePath);
  const name = describePath(path);
  const parameters = error.params as Readonly<Record<string, unknown>>;
  const field = name === '' ? `the ${part}` : called(part, name);
  const describe = describers[error.keyword] ?? describeOther(error);
  const words = describe({ part, path, name, field, value: error.data, parameters, surroundings });
  return {
    path: words.at ?? path,
    type: words.type,
    message: words.message,
    context: words.context ? JSON.stringify(words.context) : '',
  };
}

const describers: Readonly<Record<string, (subject: Subject) => Words>> = {
  required: describeMissing,
  unevaluatedProperties: describeUnknown,
  additionalProperties: describeUnknown,
  type: describeType,
  enum: describeEnum,
  const: ({ field, value, parameters: { allowedValue } }) => ({
    type: 'enum',
    message: `${field} must be ${show(allowedValue)}, not ${show(value)}.`,
    context: { enum: [allowedValue] },
  }),
  minimum: (subject) => describeBound(subject, 'greater_than_equal', 'at least'),
  maximum: (subject) => describeBound(subject, 'less_than_equal', 'at most'),
  minItems: describeTooFew,
  maxItems: (subject) => describeSize(subject, 'too_long', 'at most', 'items'),
  minLength: (subject) => describeSize(subject, 'string_too_short', 'at least', 'characters'),
  maxLength: (subject) => describeSize(subject, 'string_too_long', 'at most', 'characters'),
  'x-binary': ({ field, parameters }) => ({
    type: 'binary',
    message: `${field} ${String(parameters.reason)}.`,
  }),
};

function describeOther(error: ErrorObject): (subject: Subject) => Words {
  const reason = error.message ?? 'is not valid';
  return ({ field, parameters }) => ({
    type: error.keyword,
    message: `${field} ${reason}.`,
    context: parameters,
  });
}

function describeMissing({ part, path, parameters }: Subject): Words {
  const at = [...path, String(parameters.missingProperty)];
  const field = describePath(at);
  const message =
    part === 'header' && field === 'model'
      ? strictWords('missing-model-header', { field })
      : `${called(part, field)} is required.`;
  return { type: 'missing', message, at };
}

function describeUnknown({ part, path, parameters, surroundings }: Subject): Words {
  const name = String(parameters.unevaluatedProperty ?? parameters.additionalProperty);
  const at = [...path, name];
  const near = suggest(name, surroundings.knownNames(path));
  const meant = near === undefined ? undefined : describePath([...path, near]);
  const bracketed = part === 'query' && name.endsWith('[]');
  const words = strictWords(bracketed ? 'bracketed-query-arrays' : 'unknown-keys', {
    field: clip(describePath(at)),
    meant,
  });
  const message = part === 'body' ? words : words.replace('unknown field', 'unknown parameter');
  return { type: 'extra_forbidden', message, at, ...(meant === undefined ? {} : { context: { meant } }) };
}

function describeType({ part, path, name, field, value, parameters, surroundings }: Subject): Words {
  const types = [parameters.type].flat().map(String);
  const type = `${types[0] ?? 'value'}_type`;
  const context = { type: types };
  if (value === null && name !== '' && !surroundings.isRequired(path)) {
    return { type, message: strictWords('explicit-nulls', { field: name }), context };
  }
  if (typeof value === 'string' && value.includes(',') && (name === 'tags' || name === 'texts')) {
    return { type, message: strictWords(`comma-joined-${name}`, { field: name }), context };
  }
  const actual = Array.isArray(value) && part === 'query' ? 'several values' : kindOf(value);
  return {
    type,
    message: `${field} must be ${types.map(withArticle).join(' or ')}, not ${actual}.`,
    context,
  };
}

function describeEnum({ name, field, value, parameters }: Subject): Words {
  const allowed = (parameters.allowedValues as readonly unknown[]).filter((choice) => choice !== null);
  const context = { enum: allowed };
  if (name === 'opus_bitrate' && typeof value === 'number' && allowed.includes(value * 1000)) {
    const gaps = { field: name, value: show(value), meant: String(value * 1000) };
    return { type: 'enum', message: strictWords('opus-bitrate-in-kbps', gaps), context };
  }
  const words = allowed.filter((choice) => typeof choice === 'string');
  const meant = typeof value === 'string' ? suggest(value, words) : undefined;
  const hint = meant === undefined ? '.' : `; did you mean ${meant}?`;
  return {
    type: 'enum',
    message: `${field} must be one of ${listed(allowed)}, not ${show(value)}${hint}`,
    context,
  };
}

function describeTooFew(subject: Subject): Words {
  const { path, name, value } = subject;
  const words = describeSize(subject, 'too_short', 'at least', 'items');
  const isEmptyReferences = path.at(-1) === 'references' && Array.isArray(value) && value.length === 0;
  return isEmptyReferences ? { ...words, message: strictWords('empty-references', { field: name }) } : words;
}

function describeBound({ field, value, parameters }: Subject, type: string, words: string): Words {
  const limit = parameters.limit;
  return {
    type,
    message: `${field} must be ${words} ${String(limit)}, not ${show(value)}.`,
    context: { limit },
  };
}

function describeSize({ field, parameters }: Subject, type: string, words: string, unit: string): Words {
  const limit = Number(parameters.limit);
  const units = limit === 1 ? unit.slice(0, -1) : unit;
  return { type, message: `${field} must have ${words} ${limit} ${units}.`, context: { limit } };
}

function called(part: RequestPart, name: string): string {
  return part === 'body' ? `\`${name}\`` : `the ${partNames[part]} \`${name}\``;
}

const partNames: Readonly<Record<RequestPart, string>> = {
  body: 'field',
  path: 'path parameter',
  query: 'query parameter',
  header: 'header',
};

export function describeMisplacedBytes(path: readonly string[]): DescribedError {
  const field = path.length === 0 ? 'the body' : `\`${describePath(path)}\``;
  return { path, type: 'string_type', message: `${field} must not be binary.`, context: '' };
}

function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const combinators = new Set(['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', '$ref']);

/**
 * Leaves the errors that a person can act on: of a choice between an object and null, only what is wrong with the
 * object that was given, and several type errors of one value as one.
 *
 * A body of a megabyte can have a hundred thousand errors, so nothing here looks at all of them for each of them.
 */
export function condense(errors: readonly ErrorObject[]): ErrorObject[] {
  const concrete = errors.filter((error) => !combinators.has(error.keyword));
  const deeper = placesWithMore(concrete);
  const merged = new Map<string, ErrorObject>();
  for (const error of concrete) {
    // Another branch got further into the same value, so the type was correct there.
    if (error.keyword === 'type' && deeper.has(error.instancePath)) continue;
    const key = `${error.instancePath} ${error.keyword} ${error.keyword === 'type' ? '' : JSON.stringify(error.params)}`;
    const same = merged.get(key);
    merged.set(key, same && error.keyword === 'type' ? joinTypes(same, error) : error);
  }
  return merged.size > 0 ? [...merged.values()] : errors.slice(0, 1);
}

/** Places with an error inside them, or with an error that is not about the type. */
function placesWithMore(errors: readonly ErrorObject[]): ReadonlySet<string> {
  const places = new Set<string>();
  for (const { instancePath, keyword } of errors) {
    if (keyword !== 'type') places.add(instancePath);
    let around = instancePath;
    while (around !== '') {
      around = around.slice(0, around.lastIndexOf('/'));
      // If a place is in the set, so are those around it.
      if (places.has(around)) break;
      places.add(around);
    }
  }
  return places;
}

function joinTypes(first: ErrorObject, second: ErrorObject): ErrorObject {
  const types = [first.params.type, second.params.type].flat();
  return { ...first, params: { ...first.params, type: [...new Set(types)] } };
}

/**
 * Message of a strict server about input that a lenient one would accept. The text comes from the tolerances
 * of the spec, so that every server says the same.
 *
 * @param id the tolerance
 * @param gaps values for the placeholders of its message
 */
export function strictWords(
  id: string,
  {
    field,
    value = '',
    meant,
  }: { readonly field: string; readonly value?: string; readonly meant?: string | undefined },
): string {
  const entry = tolerances.find((tolerance) => tolerance.id === id);
  if (entry === undefined) throw new Error(`The spec has no tolerance ${id}.`);
  // Without a similar name, the clause that suggests one is removed up to the end of its sentence.
  const template =
    meant === undefined ? entry.message.replace(/[,;:] [^,;:]*\{meant\}[^.?]*[.?]/, '.') : entry.message;
  return template
    .replaceAll('{field}', field)
    .replaceAll('{value}', value)
    .replaceAll('{meant}', meant ?? '');
}
