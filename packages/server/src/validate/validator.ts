import { headerNames } from '@speech-api/types';
import type { ErrorObject } from 'ajv';
import type { DecodedBody } from '../decode/body.ts';
import type { FormEntry } from '../decode/form.ts';
import { maximumIssues } from '../refuse/refusal.ts';
import { loadDocument, type OpenApiDocument, type Schema } from '../spec/document.ts';
import type { Operation } from '../spec/operations.ts';
import { itemsOf, propertiesOf, requiredOf, schemaAt, typesOf } from '../spec/schema.ts';
import {
  type CompiledSchema,
  createSchemaCompiler,
  decodeBase64,
  misplacedBinary,
  missingBinary,
  putBinariesIn,
  takeBinariesOut,
} from './compile.ts';
import {
  condense,
  type DescribedError,
  describeError,
  pathOf,
  type RequestPart,
  type Surroundings,
} from './describe.ts';

/** A value of the expected shape, or what keeps it from being one. */
export type Validated =
  | { readonly valid: true; readonly value: unknown }
  /** The first of the errors; there are never more than are shown. */
  | { readonly valid: false; readonly errors: readonly DescribedError[] };

/** Judges requests by the schemas of the spec. */
export interface Validator {
  /**
   * The values of a decoded body. A form gets its types here, because only the schema knows them.
   * The result may share memory with `body`.
   */
  shapeBody(operation: Operation, mediaType: string, body: DecodedBody): unknown;
  /** Judges a body. In the result every binary field is a `Uint8Array`, whether it came raw or as base64. */
  validateBody(
    operation: Operation,
    mediaType: string,
    value: unknown,
    encoding: DecodedBody['encoding'],
  ): Validated;
  /**
   * Judges any value by a schema over the document, as a body is judged.
   *
   * @param name under which the compiled schema is kept: the same name is always the same schema
   */
  validateValue(name: string, schema: Schema, value: unknown, encoding: DecodedBody['encoding']): Validated;
  /** Judges the parameters of one place. Names that the spec does not have are refused in a query only. */
  validateParameters(
    operation: Operation,
    place: ParameterPlace,
    values: Readonly<Record<string, unknown>>,
  ): Validated;
  /** Judges any JSON value by a schema of the spec, by its name. For a server's own data. */
  validateComponent(component: string, value: unknown): Validated;
  /** The parameters of one place as an object schema. */
  parametersSchema(operation: Operation, place: ParameterPlace): Schema;
  readonly document: OpenApiDocument;
}

/** Location of a parameter in a request. */
export type ParameterPlace = Exclude<RequestPart, 'body'>;

/**
 * Makes a validator over a document. Schemas are compiled on first use and kept.
 *
 * @param document the bundled document of the spec unless another is given
 */
export function createValidator(document: OpenApiDocument = loadDocument()): Validator {
  const compiler = createSchemaCompiler(document);
  const compiled = new Map<string, CompiledSchema>();
  const compile = (key: string, schema: Schema): CompiledSchema => {
    const known = compiled.get(key) ?? compiler.compile(schema);
    compiled.set(key, known);
    return known;
  };

  const parameterSchemas = new Map<string, Schema>();
  const schemaOfParameters = (operation: Operation, place: ParameterPlace): Schema => {
    const key = `${operation.id} ${place}`;
    const known = parameterSchemas.get(key) ?? parametersSchema(operation, place);
    parameterSchemas.set(key, known);
    return known;
  };

  const surroundingsOf = (schema: Schema): Surroundings => ({
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
  });
  const describeAll = (
    errors: readonly ErrorObject[],
    part: RequestPart,
    schema: Schema,
  ): DescribedError[] => {
    // Nobody is shown more than these, and each suggestion takes its time.
    const shown = condense(errors).slice(0, maximumIssues);
    return shown.map((error) => describeError(error, part, surroundingsOf(schema)));
  };

  const validateValue: Validator['validateValue'] = (name, whole, value, encoding) => {
    const schema = chooseBranch(whole, value);
    const key = schema === whole ? name : String(schema.$ref);
    if (encoding === 'json') {
      const verdict = compile(key, schema)(value, 'json');
      const errors = describeAll(verdict.errors, 'body', schema);
      if (errors.length > 0) return { valid: false, errors };
      return { valid: true, value: putBinariesIn(value, decodeBase64(value, verdict.binaries)) };
    }
    const { value: judged, found } = takeBinariesOut(value);
    const verdict = compile(key, schema)(judged, 'raw');
    const errors = describeAll(verdict.errors, 'body', schema);
    for (const pointer of found.keys()) {
      if (verdict.binaries.has(pointer) || errors.length >= maximumIssues) continue;
      const path = pathOf(pointer);
      errors.push({ path, type: 'string_type', message: misplacedBinary(path), context: '' });
    }
    for (const pointer of verdict.binaries) {
      if (found.has(pointer) || errors.length >= maximumIssues) continue;
      const path = pathOf(pointer);
      errors.push({ path, type: 'binary_type', message: missingBinary(path, encoding), context: 'binary' });
    }
    return errors.length > 0 ? { valid: false, errors } : { valid: true, value };
  };

  return {
    document,

    shapeBody(operation, mediaType, body) {
      if (body.encoding !== 'form') return body.value;
      return shapeForm(document, operation.bodies[mediaType] ?? {}, body.entries);
    },

    validateBody(operation, mediaType, value, encoding) {
      const schema = operation.bodies[mediaType] ?? {};
      return validateValue(`${operation.id} ${mediaType}`, schema, value, encoding);
    },

    validateValue,

    validateComponent(component, value) {
      const schema = { $ref: `#/components/schemas/${component}` };
      const { errors } = compile(schema.$ref, schema)(value, 'json');
      if (errors.length === 0) return { valid: true, value };
      return { valid: false, errors: describeAll(errors, 'body', schema) };
    },

    parametersSchema: schemaOfParameters,

    validateParameters(operation, place, values) {
      const schema = schemaOfParameters(operation, place);
      const verdict = compile(`${operation.id} ${place}`, schema)(values, 'raw');
      const errors = describeAll(verdict.errors, place, schema);
      return errors.length > 0 ? { valid: false, errors } : { valid: true, value: values };
    },
  };
}

function parametersSchema(operation: Operation, place: ParameterPlace): Schema {
  // Section 4.7: an invalid traceparent starts a new trace and changes nothing else, so it is never refused.
  const parameters = operation.parameters
    .map((each) => ({ ...each, name: place === 'header' ? each.name.toLowerCase() : each.name }))
    .filter((each) => each.in === place && each.name !== headerNames.traceparent);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((each) => [each.name, each.schema ?? {}])),
    required: parameters.filter((each) => each.required).map((each) => each.name),
    // Headers come from everywhere (proxies, browsers); those of a query were written by the caller.
    ...(place === 'query' ? { additionalProperties: false } : {}),
  };
}

/** The component that a request body means, where its schema is a choice between several. */
type BranchChooser = (body: Readonly<Record<string, unknown>>) => string;

/**
 * Chooses the intended branch of a schema, by component. Otherwise, an error in a dialogue would be reported
 * as three lists of complaints, two of them about kinds of request that were not meant.
 */
const choosers: Readonly<Record<string, BranchChooser>> = {
  SynthesisRequest: (body) => {
    const references = body.references;
    const nested = Array.isArray(references) && references.length > 0 && references.every(Array.isArray);
    if (nested) return 'ZeroShotDialogueRequest';
    if (!Array.isArray(body.reference_id)) return 'SingleSpeakerRequest';
    return references === undefined || references === null ? 'DialogueRequest' : 'ZeroShotDialogueRequest';
  },
};

/** The schema to judge `body` by: the branch it means, or `schema` itself. */
export function chooseBranch(schema: Schema, body: unknown): Schema {
  const component = schema.$ref?.split('/').at(-1) ?? '';
  const choose = choosers[component];
  if (choose === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return schema;
  return { $ref: `#/components/schemas/${choose(body as Record<string, unknown>)}` };
}

/**
 * Gives the entries of a form or a query the shape its schema asks for, since a form knows text and files only:
 * a repeated name becomes an array where one is allowed, `true` and `false` become booleans, digits numbers.
 * Whatever does not read as the type stays text, for validation to complain about.
 */
export function shapeForm(
  document: OpenApiDocument,
  schema: Schema,
  entries: readonly FormEntry[],
): Record<string, unknown> {
  const properties = propertiesOf(document, schema);
  const byName = new Map<string, unknown[]>();
  for (const { name, value } of entries) {
    const values = byName.get(name) ?? [];
    values.push(typeof value === 'string' ? value : value.bytes);
    byName.set(name, values);
  }
  return Object.fromEntries(
    [...byName].map(([name, values]) => [name, shapeValues(document, properties.get(name) ?? {}, values)]),
  );
}

function shapeValues(document: OpenApiDocument, schema: Schema, values: readonly unknown[]): unknown {
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
