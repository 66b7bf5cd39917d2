import { expect, test } from 'vitest';
import { printJson, printTable } from './report.ts';
import type { Row } from './row.ts';

const row: Row = { id: 'get', what: 'GET', target: '<= +25 us', measure: async () => [] };
const result = {
  variant: 'warm',
  ours: 1234.5,
  unit: 'us',
  reference: { name: 'fetch', value: 0.98765 },
  peers: [{ name: 'other', value: 2000 }],
  met: false,
} as const;

test('prints a line for each figure with its reference, misses and failures included', () => {
  const table = printTable([
    { row, results: [result] },
    { row, results: [], failure: 'no engine' },
  ]);
  expect(table.split('\n').slice(2)).toEqual([
    '| GET: warm | <= +25 us | fetch 0.988 us; other 2000 us | 1235 us | 1250 | no |',
    '| GET | <= +25 us | | failed: no engine | | no |',
    '',
  ]);
});

test('prints the same as JSON, with the ratio', () => {
  const { rows } = JSON.parse(printJson([{ row, results: [result] }]));
  expect(rows).toEqual([
    { id: 'get', what: 'GET', target: '<= +25 us', results: [{ ...result, ratio: 1234.5 / 0.98765 }] },
  ]);
});
