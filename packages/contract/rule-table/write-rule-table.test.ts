import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeExamples, writeRuleTable } from './write-rule-table.ts';

test.each([
  ['RULES.md', writeRuleTable],
  ['generated/rules.json', writeExamples],
])('%s is as the rules are; if not, run `npm run generate`', async (file, write) => {
  const written = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  expect(written === (await write())).toBe(true);
});
