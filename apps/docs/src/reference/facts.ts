import { isDeepStrictEqual } from 'node:util';
import { asArray, asObject, asText, type Json, type JsonObject } from '@speech-api/spec/read';

/** A default, a range, a unit: what a keyword of the schema says, for a reader. */
export interface Fact {
  readonly label: string;
  /** Values as they are on the wire, or words if there are no such values. */
  readonly values: readonly string[];
  readonly words?: string;
}

/** Facts from the keywords of a schema, other than its type and its fields. */
export function readFacts(schema: JsonObject, example?: Json): readonly Fact[] {
  const { const: constant, default: standard, pattern, 'x-unit': unit } = schema;
  const units = schema['x-binary'] === true ? 'bytes' : 'characters';
  const facts = [
    { label: 'Always', values: sayValues(constant) },
    {
      label: 'Values',
      values: asArray(schema.enum).flatMap(sayValues),
      words: schema['x-open-enum'] === true ? 'and others' : '',
    },
    { label: 'Default', values: sayValues(standard) },
    { label: 'Range', values: [], words: sayNumbers(schema) },
    { label: 'Length', values: [], words: sayRange(schema.minItems, schema.maxItems, 'entries') },
    { label: 'Length', values: [], words: sayRange(schema.minLength, schema.maxLength, units) },
    { label: 'Pattern', values: sayValues(pattern) },
    { label: 'Unit', values: [], words: asText(unit) },
    ...readLimits(schema),
    { label: 'Example', values: sayExample(schema, example) },
  ];
  return facts.filter(({ values, words = '' }) => values.length > 0 || words !== '');
}

/** Limits that no keyword of a schema can hold, of bytes, seconds or code points, each with who sets it. */
export function readLimits(node: JsonObject): readonly Fact[] {
  return Object.entries(asObject(node['x-limits'])).map(([unit, limit]) => {
    const { minimum, maximum, refusedAbove, enforced, 'x-provenance': provenance } = asObject(limit);
    const { from, of } = asObject(provenance);
    let words = sayRange(minimum, maximum, unit === 'codePoints' ? 'Unicode code points' : unit);
    if (from === 'assumed' && of === undefined) words += ' on our mock and sandbox alone';
    if (typeof refusedAbove === 'number')
      words += ` from our client; our mock and sandbox refuse more than ${sayNumber(refusedAbove)}`;
    if (enforced === false) words += '; not enforced';
    return { label: 'Limit', values: [], words };
  });
}

function sayValues(value: Json | undefined): string[] {
  if (value === undefined) return [];
  return [typeof value === 'string' && value !== '' ? value : JSON.stringify(value)];
}

/** A number with a space between its thousands from 10 000 on. */
export function sayNumber(value: number): string {
  return Math.abs(value) < 10_000 ? String(value) : value.toLocaleString('en-GB').replaceAll(',', '\u00a0');
}

function sayRange(minimum: Json | undefined, maximum: Json | undefined, plural = ''): string {
  const last = maximum ?? minimum;
  if (typeof last !== 'number') return '';
  const unit = last === 1 ? plural.replace(/ies$/, 'y').replace(/s$/, '') : plural;
  const end = `${sayNumber(last)} ${unit}`.trim();
  if (typeof minimum !== 'number') return `at most ${end}`;
  if (typeof maximum !== 'number') return `at least ${end}`;
  return minimum === maximum ? end : `${sayNumber(minimum)} to ${end}`;
}

function sayNumbers({ minimum, maximum, exclusiveMinimum }: JsonObject): string {
  if (typeof exclusiveMinimum === 'number') return `above ${sayNumber(exclusiveMinimum)}`;
  return sayRange(minimum, maximum);
}

function sayExample(schema: JsonObject, parameterExample: Json | undefined): string[] {
  // A constant needs no example, and an example of bytes would say nothing.
  if (schema.const !== undefined || schema['x-binary'] === true) return [];
  const example = parameterExample ?? asArray(schema.examples)[0];
  if (example === undefined || example === null || example === '') return [];
  // One of the listed values, or the default once more, says nothing new.
  if (schema.enum !== undefined || isDeepStrictEqual(example, schema.default)) return [];
  return sayValues(example).filter((text) => text.length <= 90);
}

const limitLabels = ['Range', 'Limit', 'Length'];
const mebibyte = 1_048_576;

/** The ranges, sizes and lengths among the facts. */
export function limitsIn(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter(({ label }) => limitLabels.includes(label));
}

/** The facts that a description does not say already: a limit is said once. */
export function unsaid(description: string, facts: readonly Fact[]): readonly Fact[] {
  const described = numbersIn(description);
  return facts.filter(
    ({ label, words = '' }) =>
      !limitLabels.includes(label) ||
      !numbersIn(words).every(
        (number) => described.includes(number) || described.includes(number / mebibyte),
      ),
  );
}

function numbersIn(text: string): number[] {
  const numbers = text.match(/-?\d+(?:[\u00a0 _]\d{3})*(?:\.\d+)?/g) ?? [];
  return numbers.map((number) => Number(number.replaceAll(/[\u00a0 _]/g, '')));
}
