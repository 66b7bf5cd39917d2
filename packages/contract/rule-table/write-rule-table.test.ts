import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeRuleTable } from './write-rule-table.ts';

test('is what RULES.md holds; if not, run `npm run generate`', () => {
  const written = readFileSync(new URL('../RULES.md', import.meta.url), 'utf8');
  expect(written === writeRuleTable()).toBe(true);
});
