import { readFileSync, writeFileSync } from 'node:fs';
import { collectClaims, readmeFile } from './collect.ts';
import { replaceTable, writeTable } from './table.ts';

writeFileSync(readmeFile, replaceTable(readFileSync(readmeFile, 'utf8'), writeTable(collectClaims())));
