import { expect, test } from 'vitest';
import { wordTable } from './word-table.ts';

test('lines words and times up, also where characters are two columns wide', () => {
  const table = wordTable([
    { text: 'bread', start: 0.25, end: 0.7 },
    { text: '茶', start: 10.2, end: 10.456 },
  ]);
  expect(table.split('\n')).toEqual([
    'word     start      end',
    '-----  -------  -------',
    'bread     0.25     0.70',
    '茶       10.20    10.46',
  ]);
});
