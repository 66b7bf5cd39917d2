import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Claim, readClaims } from './claim.ts';

const root = new URL('../../../../', import.meta.url);

/** The servers whose README has a support table, by their folder. */
export const servers = ['apps/sandbox', 'packages/mock'] as const;

/** The file that the table of a server stands in. */
export function readmeOf(server: string): string {
  return fileURLToPath(new URL(`${server}/README.md`, root));
}

/** All claims of the tests of a server. */
export function collectClaims(server: string): Claim[] {
  const folder = new URL(`${server}/`, root);
  return globSync('{src,test,test-audio}/**/*.test.ts', { cwd: fileURLToPath(folder) })
    .sort()
    .flatMap((file) => readClaims(readFileSync(new URL(file, folder), 'utf8')));
}
