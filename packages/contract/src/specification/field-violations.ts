import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { asObject, isObject, type JsonObject, objectAt } from './document.ts';

/** One value that violates its schema. */
export interface FieldViolation {
  readonly kind: 'missing' | 'type' | 'listed' | 'date-time' | 'value' | 'unknown';
  /** JSON pointer. */
  readonly pointer: string;
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  /** True if the interface does not state the broken rule: the specification chose it. */
  readonly isOurs?: true;
}

const documentId = 'speech:document';

const { validate: isLooseDateTime } = addFormats.default.get('date-time') as {
  readonly validate: (text: string) => boolean;
};

/** RFC 3339 asks for the minutes of an offset and a colon before them; the format of the library does not. */
const isDateTime = (text: string) => isLooseDateTime(text) && /[\d.]t[\d:.]+(z|[+-]\d\d:\d\d)$/i.test(text);

type Compile = (schema: JsonObject) => ValidateFunction;

/**
 * Compiles schemas of a document, each once.
 *
 * @param prepare copies a schema; it is asked for the document's components too, before the first schema
 */
export function compilerOf(document: () => JsonObject, prepare: (schema: unknown) => unknown): Compile {
  // The document's own annotations (`x-`, `example`) are not JSON Schema keywords; its lint has checked them.
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, verbose: true });
  addFormats.default(ajv);
  ajv.addFormat('date-time', isDateTime);
  ajv.addFormat('binary', true);
  const compiled = new Map<string, ValidateFunction>();
  let isAdded = false;
  return (schema) => {
    const key = JSON.stringify(schema);
    if (!isAdded) ajv.addSchema({ components: prepare(document().components) }, documentId);
    isAdded = true;
    const validate = compiled.get(key) ?? ajv.compile(prepare(schema) as JsonObject);
    compiled.set(key, validate);
    return validate;
  };
}

/** A reference into the document, as an outside schema has to write it. */
export const intoDocument = (reference: string): string => reference.replace(/^#/, `${documentId}#`);

const compilers = new WeakMap<JsonObject, Compile>();

/** Violations of a schema of a document by a value. The list includes fields that are not documented. */
export function fieldViolations(
  document: JsonObject,
  schema: JsonObject,
  value: unknown,
): readonly FieldViolation[] {
  let compile = compilers.get(document);
  if (compile === undefined) {
    compile = compilerOf(() => document, prepare);
    compilers.set(document, compile);
  }
  const validate = compile(schema);
  if (validate(value)) return [];
  const violations = (validate.errors ?? []).flatMap(violationsIn);
  // If the type is wrong, the other keywords fail as well.
  const ofAnotherType = new Set(
    violations.filter(({ kind }) => kind === 'type').map(({ pointer }) => pointer),
  );
  return violations.filter(({ kind, pointer }) => kind === 'type' || !ofAnotherType.has(pointer));
}

/**
 * A copy of a schema with the same meaning that gives more precise errors: references lead into the registered document, a
 * choice between something and null becomes an if, and objects are closed.
 */
function prepare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prepare);
  if (!isObject(value)) return value;
  if (typeof value.$ref === 'string') {
    return { ...omit(value, '$ref'), $ref: intoDocument(value.$ref) };
  }
  const mark = markOf(value);
  const copy: JsonObject = Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      // The interface says of some objects that their contents are not shown, so that nothing in them is judged.
      name === 'additionalProperties' && mark?.covers(name) && isObject(item)
        ? true
        : prepare(mark?.covers(name) ? withMark(name, item, mark.own) : item),
    ]),
  );
  const something = somethingOrNull(value.anyOf);
  if (something !== undefined) {
    return { ...omit(copy, 'anyOf'), if: { type: 'null' }, else: prepare(something) };
  }
  const isOpenObject =
    value.type === 'object' && isObject(value.properties) && value.additionalProperties === undefined;
  return isOpenObject ? { ...copy, additionalProperties: false } : copy;
}

interface Mark {
  readonly own: unknown;
  /** True if the mark applies to a keyword of its schema; a mark that names no keyword applies to all. */
  readonly covers: (keyword: string) => boolean;
}

/** The provenance mark of a schema, if the interface does not state it. */
function markOf(schema: unknown): Mark | undefined {
  if (!isObject(schema) || !isObject(schema['x-provenance'])) return undefined;
  const { of, ...own } = schema['x-provenance'];
  return { own, covers: (keyword) => !Array.isArray(of) || of.includes(keyword) };
}

/** The keywords whose values are schemas. */
const inner = /^(items|additionalProperties|anyOf|oneOf|allOf|if|then|else)$/;

/** Marks the contents of a marked keyword too: the schemas of its items, properties and alternatives. */
function withMark(keyword: string, value: unknown, mark: unknown): unknown {
  const marked = (schema: unknown): unknown =>
    isObject(schema) && !('$ref' in schema) && !('x-provenance' in schema)
      ? { ...schema, 'x-provenance': mark }
      : schema;
  if (keyword === 'properties' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, marked(schema)]));
  }
  if (!inner.test(keyword)) return value;
  return Array.isArray(value) ? value.map(marked) : marked(value);
}

/** Turns a validator error into violations with messages. */
export function violationsIn(error: ErrorObject): readonly FieldViolation[] {
  const { keyword, parentSchema, params } = error;
  // Where the interface says "or null", null and absent mean the same.
  if (keyword === 'required' && allowsNull(parentSchema, String(params.missingProperty))) return [];
  const mark = markOf(parentSchema);
  // A field that the interface names without "no" or "optional" must be there: the specification only spells it out.
  const isNamed = keyword === 'required' && asObject(mark?.own).unknown === namedFields;
  const isOurs = !isNamed && mark?.covers(keyword) === true;
  return describe(error).map((violation) => (isOurs ? { ...violation, isOurs } : violation));
}

/** The entry of the register about the fields that the interface names without saying whether they are required. */
const namedFields = 'response-required-fields';

/** True if the interface allows null, not if public servers merely answered it. */
function allowsNull(schema: unknown, field: string): boolean {
  const property = objectAt(objectAt(schema, 'properties'), field);
  const { type, anyOf, if: condition } = property;
  const choices = [anyOf ?? []].flat().map((choice) => asObject(choice).type);
  const isStated = markOf(property)?.covers('type') !== true;
  return isStated && [type, asObject(condition).type, ...choices].flat().includes('null');
}

function somethingOrNull(choices: unknown): unknown {
  if (!Array.isArray(choices) || choices.length !== 2) return undefined;
  const isNull = (choice: unknown) => isObject(choice) && choice.type === 'null';
  return choices.some(isNull) ? choices.find((choice) => !isNull(choice)) : undefined;
}

function omit(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

function describe({ keyword, instancePath, params, data, message }: ErrorObject): readonly FieldViolation[] {
  const violation = (kind: FieldViolation['kind'], words: string, pointer = instancePath) => ({
    kind,
    pointer,
    message: `${pointer === '' ? 'The body' : `\`${pointer}\``} ${words}.`,
  });
  const within = (name: unknown) => `${instancePath}/${escapeStep(String(name))}`;
  switch (keyword) {
    case 'required':
      return [violation('missing', 'is missing', within(params.missingProperty))];
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name: unknown = params.additionalProperty ?? params.unevaluatedProperty;
      return [violation('unknown', 'is not a field of the specification', within(name))];
    }
    // The errors inside these keywords report the contents.
    case 'if':
    case 'allOf':
      return [];
  }
  // The value is only shown if needed: thousands of wrong fields would repeat the same object.
  const actual = show(data);
  switch (keyword) {
    case 'type': {
      const expected = [params.type].flat().join(' or ');
      return [{ ...violation('type', `is ${typeOf(data)}, not ${expected}`), expected, actual }];
    }
    case 'enum':
    case 'const': {
      const allowed: unknown[] = keyword === 'enum' ? params.allowedValues : [params.allowedValue];
      const expected = allowed.map((choice) => JSON.stringify(choice)).join(', ');
      return [{ ...violation('listed', `is ${actual}, which is not one of ${expected}`), expected, actual }];
    }
    case 'format': {
      const expected = String(params.format);
      const lacking = hasNoOffset(data) ? ', which has no offset such as Z or +01:00' : '';
      const kind = expected === 'date-time' ? 'date-time' : 'value';
      const message = `is not a valid ${expected}: ${actual}${lacking}`;
      // RFC 3339 allows a blank in place of the T where both sides have agreed to it.
      const isAgreed = kind === 'date-time' && isDateTime(String(data).replace(' ', 'T'));
      return [{ ...violation(kind, message), expected, actual, ...(isAgreed && { isOurs: true }) }];
    }
    default: {
      const words = keyword === 'anyOf' ? 'matches no alternative' : (message ?? 'breaks its schema');
      return [{ ...violation('value', words), actual }];
    }
  }
}

/** True if a date-time lacks only its offset from UTC. */
function hasNoOffset(data: unknown): boolean {
  return typeof data === 'string' && /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?$/.test(data);
}

function escapeStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number with a fraction';
  return `a ${typeof value}`;
}

/** A short form of a value: answers are long, and people read findings. */
export function show(value: unknown): string {
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
