import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { supportedFields } from './settings.ts';
import { fieldNames, withTable } from './table.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('describes only fields that a synthesis request has', () => {
  expect(Object.keys(supportedFields).filter((field) => !fieldNames.includes(field))).toEqual([]);
});

test('is what SUPPORT.md says; else run `npm run generate`', () => {
  const readme = read('SUPPORT.md');
  expect(withTable(readme)).toBe(readme);
});
