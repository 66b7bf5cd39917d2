import { isDeepStrictEqual } from 'node:util';
import { asArray, asObject, asText, isObject, type Json, type JsonObject } from '@speech-api/spec/read';
import type { Fact } from './page-model.ts';

/** Facts from the keywords of a schema, other than its type and its fields. */
export function readFacts(schema: JsonObject, example?: Json): readonly Fact[] {
  const { const: constant, default: standard, pattern, 'x-unit': unit } = schema;
  const open = schema['x-open-enum'] === true ? 'and others' : '';
  const characters = sayRange(schema.minLength, schema.maxLength);
  const facts = [
    { label: 'Always', values: constant === undefined ? [] : [sayValue(constant)] },
    { label: 'Values', values: asArray(schema.enum).map(sayValue), words: open },
    { label: 'Default', values: standard === undefined ? [] : [sayValue(standard)] },
    { label: 'Range', values: [], words: sayNumbers(schema) },
    { label: 'Entries', values: [], words: sayRange(schema.minItems, schema.maxItems) },
    { label: 'Length', values: [], words: characters === '' ? '' : `${characters} characters` },
    { label: 'Pattern', values: typeof pattern === 'string' ? [pattern] : [] },
    { label: 'Unit', values: [], words: asText(unit) },
    ...readLimits(schema['x-limits']),
    { label: 'Example', values: sayExample(schema, example) },
  ];
  return facts.filter(({ values, words = '' }) => values.length > 0 || words !== '');
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

function sayValue(value: Json): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

function sayNumber(value: number): string {
  return Math.abs(value) < 10_000 ? String(value) : value.toLocaleString('en-GB').replaceAll(',', '\u00a0');
}

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

function sayNumbers(schema: JsonObject): string {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  const parts = [
    sayRange(schema.minimum, schema.maximum),
    typeof above === 'number' ? `above ${sayNumber(above)}` : '',
    typeof below === 'number' ? `below ${sayNumber(below)}` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function sayExample(schema: JsonObject, given: Json | undefined): string[] {
  // A constant needs no example, and an example of bytes would say nothing.
  if (schema.const !== undefined || schema['x-binary'] === true) return [];
  const example = given ?? asArray(schema.examples)[0];
  if (example === undefined || example === null || example === '') return [];
  // One of the listed values, or the default once more, says nothing new.
  if (schema.enum !== undefined || isDeepStrictEqual(example, schema.default)) return [];
  const text = sayValue(example);
  return text.length > 90 ? [] : [text];
}
