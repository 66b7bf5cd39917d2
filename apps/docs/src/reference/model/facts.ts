import { isDeepStrictEqual } from 'node:util';
import { asArray, asObject, isObject, type Json, type JsonObject } from '@speech-api/spec/read';
import type { Fact } from './page-model.ts';

/** Facts from the keywords of a schema, other than its type and its fields. */
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

/** Display name of each limit's unit. */
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
  // A constant needs no example, and an example of bytes would say nothing.
  if (schema.const !== undefined || schema['x-binary'] === true) return [];
  const example = given ?? asArray(schema.examples)[0];
  if (example === undefined || example === null || example === '') return [];
  // One of the listed values, or the default once more, says nothing new.
  if (schema.enum !== undefined || isDeepStrictEqual(example, schema.default)) return [];
  const text = sayValue(example);
  return text.length > 90 ? [] : [{ label: 'Example', values: [text] }];
}
