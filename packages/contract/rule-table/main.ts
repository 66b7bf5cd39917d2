import { writeFileSync } from 'node:fs';
import { writeRuleTable } from './write-rule-table.ts';

// Run by `npm run generate`; a test compares the file with what would be written.
writeFileSync(new URL('../RULES.md', import.meta.url), writeRuleTable());
