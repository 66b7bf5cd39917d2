import { isDeepStrictEqual } from 'node:util';
import { asArray, asObject, isObject, type Json, type JsonObject } from '@speech-api/spec/read';
import type { Specification } from './document.ts';
import type { Fact, Field, OperationPage, Shape } from './page-model.ts';
import { MarkReader } from './rules.ts';
import { ShapeReader } from './shapes.ts';

/** A named schema of the specification. */
export interface NamedSchema {
  readonly name: string;
  readonly shape: Shape;
}

/** The named schemas that have something to say beside their name: fields, forms or a closed list of values. */
export function describeSchemas({ document, unknowns }: Specification): readonly NamedSchema[] {
  const shapes = new ShapeReader(document, new MarkReader(unknowns));
  const schemas = asObject(asObject(document.root.components).schemas);
  return Object.keys(schemas)
    .sort((left, right) => left.localeCompare(right, 'en'))
    .map((name) => ({
      name,
      shape: shallow(shapes.shape({ $ref: `#/components/schemas/${name}` }, { anchor: name, path: '' })),
    }))
    .filter(
      ({ shape }) =>
        shape.fields.length + shape.choices.length > 0 || shape.facts.some(({ label }) => label === 'Values'),
    );
}

/** A field with a schema of its own leads there; its fields are not repeated. */
function shallow(shape: Shape): Shape {
  const cut = (fields: Shape['fields']): Shape['fields'] =>
    fields.map((field) => ({ ...field, fields: field.schema === undefined ? cut(field.fields) : [] }));
  return {
    ...shape,
    fields: cut(shape.fields),
    choices: shape.choices.map((choice) => ({ ...choice, fields: cut(choice.fields) })),
  };
}

/** How many formats of audio there are, and what each can do: `x-audio-formats` of the specification. */
export interface AudioFormatLine {
  readonly format: string;
  readonly mediaType: string;
  readonly sampleRates: readonly string[];
  readonly defaultSampleRate: string;
  readonly bitrate: string;
}

/** Reads the table of formats. */
export function describeFormats({ document }: Specification): readonly AudioFormatLine[] {
  const schemas = asObject(asObject(document.root.components).schemas);
  const settings = asObject(asObject(schemas.SynthesisSettings).properties);
  return Object.entries(asObject(asObject(schemas.AudioFormat)['x-audio-formats'])).map(([format, node]) => {
    const line = asObject(node);
    const field = typeof line.bitrateField === 'string' ? asObject(settings[line.bitrateField]) : undefined;
    const values = field && Array.isArray(field.enum) ? field.enum.join(', ') : '';
    return {
      format,
      mediaType: String(line.mediaType),
      sampleRates: Array.isArray(line.sampleRates) ? line.sampleRates.map(String) : [],
      defaultSampleRate: String(line.defaultSampleRate),
      bitrate:
        field === undefined
          ? `${String(line.bitsPerSample)}-bit`
          : `${values} ${String(field['x-unit'])}, ${String(field.default)} unless asked otherwise`,
    };
  });
}

/** A field with a range, a list of values or a limit, and the operations that have it. */
export interface LimitLine {
  readonly field: string;
  readonly facts: readonly Fact[];
  readonly places: readonly { readonly operation: string; readonly address: string }[];
}

const kinds = ['Range', 'Limit', 'Entries', 'Length'];

/** Every range and limit of what a client sends, each once, with all the places it holds at. */
export function describeLimits(pages: readonly OperationPage[]): readonly LimitLine[] {
  const lines = new Map<string, LimitLine>();
  const add = (field: string, all: readonly Fact[], page: OperationPage, anchor: string): void => {
    const facts = all.filter(({ label }) => kinds.includes(label));
    if (facts.length === 0) return;
    const key = `${field} ${JSON.stringify(facts)}`;
    const place = { operation: page.id, address: `/reference/${page.slug}/#${anchor}` };
    const known = lines.get(key)?.places ?? [];
    if (known.some(({ operation }) => operation === page.id)) return;
    lines.set(key, { field, facts, places: [...known, place] });
  };
  for (const page of pages) {
    for (const { fields } of page.parameters)
      walk(fields, (field) => add(field.path, field.facts, page, field.anchor));
    if (page.body === undefined) continue;
    add('whole body', page.body.facts, page, 'body');
    for (const { shape } of page.body.contents) {
      const fields = [...shape.fields, ...shape.choices.flatMap((choice) => choice.fields)];
      walk(fields, (field) => add(field.path, field.facts, page, field.anchor));
    }
  }
  return [...lines.values()];
}

function walk(fields: readonly Field[], visit: (field: Field) => void): void {
  for (const field of fields) {
    visit(field);
    walk(field.fields, visit);
  }
}

/** What the keywords of a schema say beside its type and its fields. */
export function readFacts(schema: JsonObject, example?: Json): readonly Fact[] {
  return [
    ...readConstant(schema),
    ...readValues(schema),
    ...readDefault(schema),
    ...readRange(schema),
    ...readCounts(schema),
    ...readPattern(schema),
    ...readUnit(schema),
    ...readLimits(schema['x-limits']),
    ...readExample(schema, example),
  ];
}

/** Limits that no keyword of a schema can hold: of bytes, seconds, code points. */
export function readLimits(limits: Json | undefined): readonly Fact[] {
  return Object.entries(asObject(limits)).flatMap(([unit, value]) => {
    if (!isObject(value)) return [];
    const { minimum, maximum, refusedAbove, enforced } = value;
    const range = sayRange(minimum, maximum);
    if (range === '') return [];
    const name = unitNames[unit] ?? unit;
    const notes = [
      ...(typeof refusedAbove === 'number' ? [`refused above ${sayNumber(refusedAbove)}`] : []),
      ...(enforced === false ? ['not enforced'] : []),
    ];
    const words = `${range} ${maximum === 1 ? name.replace(/s$/, '') : name}`;
    return [{ label: 'Limit', values: [], words: [words, ...notes].join('; ') }];
  });
}

/** A value as it is on the wire. */
export function sayValue(value: Json): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

/** A number with its thousands apart. */
export function sayNumber(value: number): string {
  return Math.abs(value) < 10_000 ? String(value) : value.toLocaleString('en-GB').replaceAll(',', '\u00a0');
}

/** How each unit of a limit is called. */
const unitNames: Readonly<Record<string, string>> = {
  bytes: 'bytes',
  codePoints: 'Unicode code points',
  decibels: 'decibels',
  files: 'files',
  seconds: 'seconds',
};

function sayRange(minimum: Json | undefined, maximum: Json | undefined): string {
  const low = typeof minimum === 'number' ? sayNumber(minimum) : undefined;
  const high = typeof maximum === 'number' ? sayNumber(maximum) : undefined;
  if (low !== undefined && high !== undefined) return low === high ? low : `${low} to ${high}`;
  if (low !== undefined) return `at least ${low}`;
  return high === undefined ? '' : `at most ${high}`;
}

function readConstant({ const: constant }: JsonObject): Fact[] {
  return constant === undefined ? [] : [{ label: 'Always', values: [sayValue(constant)] }];
}

function readValues(schema: JsonObject): Fact[] {
  const listed = asArray(schema.enum);
  if (listed.length === 0) return [];
  const open = schema['x-open-enum'] === true ? { words: 'and others' } : {};
  return [{ label: 'Values', values: listed.map(sayValue), ...open }];
}

function readDefault(schema: JsonObject): Fact[] {
  return schema.default === undefined ? [] : [{ label: 'Default', values: [sayValue(schema.default)] }];
}

function readRange(schema: JsonObject): Fact[] {
  const words = sayRange(schema.minimum, schema.maximum);
  const above = schema.exclusiveMinimum;
  const below = schema.exclusiveMaximum;
  const strict = [
    ...(typeof above === 'number' ? [`above ${sayNumber(above)}`] : []),
    ...(typeof below === 'number' ? [`below ${sayNumber(below)}`] : []),
  ];
  const all = [words, ...strict].filter((part) => part !== '').join(', ');
  return all === '' ? [] : [{ label: 'Range', values: [], words: all }];
}

function readCounts(schema: JsonObject): Fact[] {
  const entries = sayRange(schema.minItems, schema.maxItems);
  const characters = sayRange(schema.minLength, schema.maxLength);
  return [
    ...(entries === '' ? [] : [{ label: 'Entries', values: [], words: entries }]),
    ...(characters === '' ? [] : [{ label: 'Length', values: [], words: `${characters} characters` }]),
  ];
}

function readPattern({ pattern }: JsonObject): Fact[] {
  return typeof pattern === 'string' ? [{ label: 'Pattern', values: [pattern] }] : [];
}

function readUnit(schema: JsonObject): Fact[] {
  const unit = schema['x-unit'];
  return typeof unit === 'string' ? [{ label: 'Unit', values: [], words: unit }] : [];
}

function readExample(schema: JsonObject, given: Json | undefined): Fact[] {
  // What can only have one value needs no example of it, and bytes have none that says anything.
  if (schema.const !== undefined || schema['x-binary'] === true) return [];
  const example = given ?? asArray(schema.examples)[0];
  if (example === undefined || example === null || example === '') return [];
  // One of the listed values, or the default once more, says nothing new.
  if (schema.enum !== undefined || isDeepStrictEqual(example, schema.default)) return [];
  const text = sayValue(example);
  return text.length > 90 ? [] : [{ label: 'Example', values: [text] }];
}
