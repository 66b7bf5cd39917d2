import { writeFileSync } from 'node:fs';
import { writeExamples, writeRuleTable } from './write-rule-table.ts';

// Run by `npm run generate`; a test compares the files with what would be written.
writeFileSync(new URL('../RULES.md', import.meta.url), writeRuleTable());
writeFileSync(new URL('../generated/rules.json', import.meta.url), await writeExamples());
