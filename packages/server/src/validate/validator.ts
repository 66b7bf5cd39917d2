import { readOpenApi, type SpecDocument } from '@speech-api/spec/read';
import type { FormEntry } from '../decode/form.ts';
import { isFields } from '../fields.ts';
import { maximumIssues } from '../refuse/refusal.ts';
import {
  itemsOf,
  propertiesOf,
  requiredOf,
  type Schema,
  schemaAt,
  takesBytes,
  typesOf,
} from '../spec/schema.ts';
import { createSchemaCompiler, type Encoding } from './compile.ts';
import {
  condense,
  type DescribedError,
  describeError,
  describeMisplacedBytes,
  type RequestPart,
  type Surroundings,
} from './describe.ts';

/** Judges values by schemas over one document. */
export interface Validator {
  readonly document: SpecDocument;
  /**
   * Judges a value by a schema, which is compiled on first use and kept. In a value from JSON, base64 becomes bytes in place.
   *
   * @returns the errors, no more than are shown; none for a valid value
   */
  validate(schema: Schema, value: unknown, encoding: Encoding, part?: RequestPart): readonly DescribedError[];
}

/** @param document the bundled document of the spec unless another is given */
export function createValidator(document: SpecDocument = readOpenApi()): Validator {
  const compile = createSchemaCompiler(document.objectAt('/components'));
  return {
    document,
    validate(whole, value, encoding, part = 'body') {
      const schema = chooseBranch(whole, value);
      // Before the rest: to a validator bytes are an object with a field for each of them.
      const misplaced = misplacedBytes(document, schema, value).slice(0, maximumIssues);
      if (misplaced.length > 0) return misplaced.map(describeMisplacedBytes);
      const errors = condense(compile(schema)(value, encoding));
      const surroundings = surroundingsOf(document, schema);
      // Nobody is shown more than these, and each suggestion takes its time.
      return errors.slice(0, maximumIssues).map((error) => describeError(error, part, surroundings));
    },
  };
}

/** Where there are bytes in a value and its schema has something else; nothing of what the schema does not know. */
function misplacedBytes(document: SpecDocument, schema: Schema, value: unknown): string[][] {
  return pathsOfBytes(value).filter((path) => {
    const place = schemaAt(document, schema, path);
    return place !== undefined && !takesBytes(document, place);
  });
}

function pathsOfBytes(value: unknown, path: readonly string[] = [], found: string[][] = []): string[][] {
  if (value instanceof Uint8Array) found.push([...path]);
  else if (typeof value === 'object' && value !== null) {
    // Not by its entries: a pair for each of a hundred thousand names takes longer than all the rest.
    for (const name of Object.keys(value)) {
      const inner: unknown = value[name as keyof typeof value];
      if (typeof inner === 'object') pathsOfBytes(inner, [...path, name], found);
    }
  }
  return found;
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
 * The schema to judge `body` by: the kind of synthesis request it means, or `schema` itself. Otherwise, an error in a
 * dialogue would be reported as three lists of complaints, two of them about kinds of request that were not meant.
 */
export function chooseBranch(schema: Schema, body: unknown): Schema {
  if (schema.$ref !== synthesisRequest.$ref || !isFields(body)) return schema;
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
  const byName = Map.groupBy(entries, ({ name }) => name);
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
