import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { serviceRules } from '../src/specification/rules.ts';
import { writeRuleTable } from './write-rule-table.ts';

it('is what RULES.md holds; if not, run `npm run generate`', () => {
  const written = readFileSync(new URL('../RULES.md', import.meta.url), 'utf8');
  expect(written === writeRuleTable()).toBe(true);
});

it('names every rule', () => {
  const table = writeRuleTable();
  for (const id of serviceRules().keys()) expect(table).toContain(`| \`${id}\``);
});
