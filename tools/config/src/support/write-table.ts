import { readFileSync, writeFileSync } from 'node:fs';
import { collectClaims, readmeOf, servers } from './collect.ts';
import { replaceTable, writeTable } from './table.ts';

// Writes the support table of every server from the names of its tests: `pnpm --filter @speech-api/config support`.

for (const server of servers) {
  const file = readmeOf(server);
  writeFileSync(file, replaceTable(readFileSync(file, 'utf8'), writeTable(collectClaims(server))));
}
