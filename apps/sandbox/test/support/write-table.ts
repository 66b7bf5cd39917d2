import { readFileSync, writeFileSync } from 'node:fs';
import { withTable } from './table.ts';

const readme = new URL('../../SUPPORT.md', import.meta.url);
writeFileSync(readme, withTable(readFileSync(readme, 'utf8')));
