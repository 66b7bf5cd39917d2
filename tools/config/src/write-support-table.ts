import { readFileSync, writeFileSync } from 'node:fs';
import { collectClaims, replaceTable, servers, supportFileOf, writeTable } from './support-table.ts';

// Writes the support table of every server from the names of its tests: `npm run generate`.

for (const server of servers) {
  const file = supportFileOf(server);
  writeFileSync(file, replaceTable(readFileSync(file, 'utf8'), writeTable(collectClaims(server))));
}
