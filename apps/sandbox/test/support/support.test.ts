import { readFileSync } from 'node:fs';
import { requestFields } from '@speech-api/types';
import { expect, test } from 'vitest';
import { supportedFields, withTable } from './settings.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('lists every field of a synthesis request, and no other', () => {
  const fields = [
    ...requestFields.SynthesisRequest,
    ...requestFields.Prosody.map((field) => `prosody.${field}`),
  ];
  expect(Object.keys(supportedFields)).toEqual(fields);
});

test.each(Object.entries(supportedFields))(
  'names a test of %s that is there',
  (_field, { test: [file, name] }) => {
    expect(read(file)).toContain(`'${name}'`);
  },
);

test('is what the README says; else run `node test/support/write-table.ts`', () => {
  const readme = read('README.md');
  expect(withTable(readme)).toBe(readme);
});
