import { readFileSync, writeFileSync } from 'node:fs';
import { withTable } from './settings.ts';

const readme = new URL('../../README.md', import.meta.url);
writeFileSync(readme, withTable(readFileSync(readme, 'utf8')));
