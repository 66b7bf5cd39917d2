import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { collectClaims, replaceTable, servers, supportFileOf, writeTable } from './support-table.ts';

test.each(servers)('SUPPORT.md of %s has the table of its tests', async (server) => {
  const support = await readFile(supportFileOf(server), 'utf8');
  const written = replaceTable(support, writeTable(collectClaims(server)));
  expect(support === written, 'The support table is stale: npm run generate').toBe(true);
});

test.each(servers)('the tests of %s cover every section from 2 to 9', (server) => {
  const sections = new Set(collectClaims(server).map(({ section }) => section.split('.')[0]));
  expect(['2', '3', '4', '5', '6', '7', '8', '9'].filter((section) => !sections.has(section))).toEqual([]);
});
