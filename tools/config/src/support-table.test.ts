import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  collectClaims,
  readClaims,
  replaceTable,
  servers,
  supportFileOf,
  writeTable,
} from './support-table.ts';

test.each(servers)('SUPPORT.md of %s has the table of its tests', async (server) => {
  const support = await readFile(supportFileOf(server), 'utf8');
  const written = replaceTable(support, writeTable(collectClaims(server)));
  expect(support === written, 'The support table is stale: npm run generate').toBe(true);
});

test.each(servers)('the tests of %s cover every section from 2 to 9', (server) => {
  const sections = new Set(collectClaims(server).map(({ section }) => section.split('.')[0]));
  expect(['2', '3', '4', '5', '6', '7', '8', '9'].filter((section) => !sections.has(section))).toEqual([]);
});

test('reads claims from names of tests', () => {
  const code = `
    it('section 2.1: a | b', async () => {});
    it.each([1, 2])('section 4.6, not available: it isn\\'t there', () => {});
    test(
      "section 2.1, without effect: 'x' is allowed",
      () => {},
    );
    expect('section 9: no test').toBe('section 9: no test');
  `;
  const claims = readClaims(code);
  expect(claims).toEqual([
    { section: '2.1', state: 'supported', sentence: 'a | b' },
    { section: '4.6', state: 'not available', sentence: "it isn't there" },
    { section: '2.1', state: 'without effect', sentence: "'x' is allowed" },
  ]);
  expect(writeTable(claims).split('\n').slice(2)).toEqual([
    "| 2.1 Synthesis request | 'x' is allowed | **without effect** |",
    '|  | a \\| b | yes |',
    "| 4.6 Live WebSocket | it isn't there | **not available** |",
  ]);
});

test.each(["it('section 2.1, almost: it works', () => {})", "it('section 2.1: takes %s', () => {})"])(
  'refuses the claim %s',
  (code) => {
    expect(() => readClaims(code)).toThrow('section 2.1');
  },
);
