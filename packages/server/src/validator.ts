import { type JsonObject, readOpenApi, type SpecDocument } from '@speech-api/spec/read';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { maximumIssues } from './answer.ts';
import type { FormEntry } from './decode.ts';
import {
  condense,
  type DescribedError,
  describeError,
  describeMisplacedBytes,
  type RequestPart,
  type Surroundings,
} from './describe.ts';
import {
  isBytes,
  isObject,
  itemsOf,
  propertiesOf,
  requiredOf,
  type Schema,
  schemaAt,
  takesBytes,
  typesOf,
} from './schema.ts';

/** Checks values by schemas over one document. */
export interface Validator {
  readonly document: SpecDocument;
  /**
   * Checks a value by a schema, which is compiled on first use and kept. In a value from JSON, base64 becomes bytes in place.
   *
   * @returns the errors, no more than are shown; none for a valid value
   */
  validate(schema: Schema, value: unknown, encoding: Encoding, part?: RequestPart): readonly DescribedError[];
}

/** @param document the bundled document of the spec unless another is given */
export function createValidator(document: SpecDocument = readOpenApi()): Validator {
  const check = createCheck(document.objectAt('/components'));
  return {
    document,
    validate(whole, value, encoding, part = 'body') {
      const schema = chooseBranch(whole, value);
      // Bytes come first, because a validator sees them as an object with a field for each byte. JSON has none.
      const misplaced =
        encoding === 'json' ? [] : misplacedBytes(document, schema, value).slice(0, maximumIssues);
      if (misplaced.length > 0) return misplaced.map(describeMisplacedBytes);
      const failures = check(schema, value, encoding);
      if (failures.length === 0) return [];
      const errors = condense(failures);
      const surroundings = surroundingsOf(document, schema);
      // Only this many are shown, and each suggestion costs time.
      return errors.slice(0, maximumIssues).map((error) => describeError(error, part, surroundings));
    },
  };
}

/** Finds bytes where the schema expects another type; unknown fields are skipped. */
function misplacedBytes(document: SpecDocument, schema: Schema, value: unknown): string[][] {
  return pathsOfBytes(value).filter((path) => {
    const place = schemaAt(document, schema, path);
    return place !== undefined && !takesBytes(document, place);
  });
}

function pathsOfBytes(value: unknown, path: readonly string[] = [], paths: string[][] = []): string[][] {
  if (isBytes(value)) paths.push([...path]);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) pathsOfBytes(inner, [...path, name], paths);
  }
  return paths;
}

function surroundingsOf(document: SpecDocument, schema: Schema): Surroundings {
  return {
    knownNames(path) {
      const properties = propertiesOf(document, schemaAt(document, schema, path) ?? {});
      const nested = [...properties].flatMap(([name, property]) =>
        [...propertiesOf(document, property).keys()].map((inner) => `${name}.${inner}`),
      );
      return [...properties.keys(), ...nested];
    },
    isRequired(path) {
      const parent = schemaAt(document, schema, path.slice(0, -1));
      return parent !== undefined && requiredOf(document, parent).has(path.at(-1) ?? '');
    },
  };
}

const component = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const synthesisRequest = component('SynthesisRequest');
const oneVoice = component('SingleSpeakerRequest');
const dialogue = component('DialogueRequest');
const zeroShotDialogue = component('ZeroShotDialogueRequest');

/**
 * The schema to check `body` by: the kind of synthesis request it means, or `schema` itself. Otherwise, an error in a
 * dialogue would be reported as three lists of complaints, two of them about kinds of request that were not meant.
 */
export function chooseBranch(schema: Schema, body: unknown): Schema {
  if (schema.$ref !== synthesisRequest.$ref || !isObject(body)) return schema;
  const { references, reference_id: voices } = body;
  if (Array.isArray(references) && references.length > 0 && references.every(Array.isArray)) {
    return zeroShotDialogue;
  }
  if (!Array.isArray(voices)) return oneVoice;
  return references === undefined || references === null ? dialogue : zeroShotDialogue;
}

/**
 * Gives the entries of a form or a query the shape its schema asks for, since a form knows text and files only:
 * a repeated name becomes an array where one is allowed, `true` and `false` become booleans, digits numbers.
 * Whatever does not read as the type stays text, for validation to complain about.
 */
export function shapeForm(
  document: SpecDocument,
  schema: Schema,
  entries: readonly FormEntry[],
): Record<string, unknown> {
  const properties = propertiesOf(document, schema);
  const byName = new Map<string, FormEntry[]>();
  for (const entry of entries) byName.set(entry.name, [...(byName.get(entry.name) ?? []), entry]);
  return Object.fromEntries(
    [...byName].map(([name, all]) => {
      const values = all.map(({ value }) => (typeof value === 'string' ? value : value.bytes));
      return [name, shapeValues(document, properties.get(name) ?? {}, values)];
    }),
  );
}

function shapeValues(document: SpecDocument, schema: Schema, values: readonly unknown[]): unknown {
  const types = typesOf(document, schema);
  const [first] = values;
  if (values.length === 1 && (!types.has('array') || types.has('string'))) return readScalar(first, types);
  const items = types.has('array') ? typesOf(document, itemsOf(document, schema) ?? {}) : types;
  return values.map((value) => readScalar(value, items));
}

function readScalar(value: unknown, types: ReadonlySet<string>): unknown {
  if (typeof value !== 'string' || types.has('string')) return value;
  if (types.has('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if ((types.has('integer') || types.has('number')) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return value;
}

/** The encoding of a body, which decides the form of bytes in it. */
export type Encoding = 'json' | 'msgpack' | 'form';

const documentId = 'speech:document';

/**
 * Makes a check of values by schemas that are part of a document, or are made of parts of it.
 *
 * A value is checked up to its first error; only an invalid one is checked for all its errors, and of its lists only the first
 * items: gathering the errors of a hundred thousand items takes Ajv many seconds.
 */
function createCheck(components: JsonObject) {
  const [first, all] = [createAjv(components, false), createAjv(components, true)];
  const preparedSchemas = new WeakMap<Schema, Schema>();
  return (schema: Schema, value: unknown, encoding: Encoding): readonly ErrorObject[] => {
    const whole = preparedSchemas.get(schema) ?? (prepared(schema) as Schema);
    preparedSchemas.set(schema, whole);
    // Ajv gives the same function for the same schema.
    const validate = first.compile(whole);
    if (validate.call({ encoding }, value)) return [];
    const errors = validate.errors ?? [];
    const explain = all.compile(whole);
    // The fault of a valid first part is behind it.
    return explain.call({ encoding }, shortened(value)) ? errors : (explain.errors ?? errors);
  };
}

function createAjv(components: JsonObject, allErrors: boolean): Ajv2020 {
  // The document's own annotations (`x-`, `example`) are not JSON Schema keywords; its lint has checked them.
  const ajv = new Ajv2020({
    allErrors,
    strict: false,
    strictNumbers: true,
    verbose: true,
    validateSchema: false,
    passContext: true,
  });
  addFormats.default(ajv);
  ajv.addFormat('binary', true);
  ajv.addKeyword({ keyword: 'x-binary', validate: checkBytes, modifying: true, errors: 'full' });
  ajv.addSchema({ components: prepared(components) }, documentId);
  return ajv;
}

/** The keyword `x-binary` says where bytes belong. Of JSON it takes base64, which becomes bytes in its place. */
const checkBytes = Object.assign(
  function (
    this: { readonly encoding: Encoding },
    _isBinary: unknown,
    data: unknown,
    _schema: unknown,
    place?: {
      readonly parentData: Record<string | number, unknown>;
      readonly parentDataProperty: string | number;
    },
  ): boolean {
    checkBytes.errors = [];
    if (isBytes(data) && data.length > 0) return true;
    if (typeof data !== 'string' && !isBytes(data)) {
      checkBytes.errors = [{ keyword: 'type', message: 'must be string', params: { type: 'string' } }];
      return false;
    }
    const bytes = typeof data === 'string' && this.encoding === 'json' ? decodeBase64(data) : undefined;
    if (bytes !== undefined && place !== undefined) {
      place.parentData[place.parentDataProperty] = bytes;
      return true;
    }
    const reason = data.length === 0 ? 'must not be empty' : needed[this.encoding];
    checkBytes.errors = [{ keyword: 'x-binary', message: reason, params: { reason } }];
    return false;
  },
  { errors: [] as Partial<ErrorObject>[] },
);

/** The required form of bytes in each encoding, for messages. */
const needed: Readonly<Record<Encoding, string>> = {
  json: 'must be base64 (standard alphabet, padded, no line breaks), or raw binary in a MessagePack body',
  msgpack: 'must be binary (the bin type), not a string',
  form: 'must be a file part (with a filename)',
};

/** The bytes of base64 as the interface requires it: no whitespace, no URL alphabet. */
function decodeBase64(text: string): Uint8Array | undefined {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.from(text, 'base64');
  // Node's decoder skips invalid characters, so a shorter result means that some were skipped.
  const isWhole = bytes.length > 0 && bytes.length === (text.length / 4) * 3 - padding;
  return isWhole && !/[-_]/.test(text) ? bytes : undefined;
}

/** Items of a list that are checked for all their errors: far more than are shown. */
const explainedItems = 100;

/** A copy of a value with the first items of its lists. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, explainedItems).map(shortened);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

/**
 * A copy in which `#/...` points into the registered document, wherever the copy is compiled, and in which only `x-binary`
 * checks bytes: where they are base64 in JSON, the document calls them a string.
 */
function prepared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prepared);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name]) => !('x-binary' in value) || (name !== 'type' && name !== 'minLength'))
    .map(([name, child]) =>
      name === '$ref' && typeof child === 'string' && child.startsWith('#/')
        ? [name, `${documentId}${child}`]
        : [name, prepared(child)],
    );
  return Object.fromEntries(entries);
}
