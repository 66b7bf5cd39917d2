import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serviceRules } from '../src/specification/rules.ts';
import { writeRuleTable } from './write-rule-table.ts';

test('is what RULES.md holds; if not, run `npm run generate`', () => {
  const written = readFileSync(new URL('../RULES.md', import.meta.url), 'utf8');
  expect(written === writeRuleTable()).toBe(true);
});

test('names every rule', () => {
  const table = writeRuleTable();
  for (const id of serviceRules().keys()) expect(table).toContain(`| \`${id}\``);
});
