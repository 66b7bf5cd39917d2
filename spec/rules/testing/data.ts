import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

export interface Provenance {
  readonly unknown: string;
  readonly from: 'public' | 'assumed';
}

export interface RegisterEntry {
  readonly id: string;
  readonly from: 'public' | 'assumed';
}

/** A YAML file of this package, by its path from the folder `spec`. */
export function read<T>(path: string): T {
  return parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
}

/** The errors of a value by the schema at a path from the folder `spec`. */
export function problems(schemaPath: string, value: unknown): string[] {
  // The schemas write `required` and `properties` apart, inside conditions, which these two strict modes forbid.
  const ajv = new Ajv2020({ allErrors: true, strictRequired: false, strictTypes: false });
  const validate = ajv.compile(read<object>(schemaPath));
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The marks that name no entry of the register, or another origin than the entry does. */
export function wrongProvenance(marks: readonly (Provenance | undefined)[]): Provenance[] {
  const register = new Map(read<RegisterEntry[]>('unknowns.yaml').map(({ id, from }) => [id, from]));
  return marks
    .filter((mark) => mark !== undefined)
    .filter(({ unknown, from }) => register.get(unknown) !== from);
}

/** The values that stand more than once. */
export function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
