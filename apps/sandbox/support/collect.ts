import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Claim, readClaims } from './claim.ts';

const folder = new URL('../', import.meta.url);

/** The file the table stands in. */
export const readmeFile = fileURLToPath(new URL('README.md', folder));

/** All claims of the tests of the sandbox. */
export function collectClaims(): Claim[] {
  return globSync('{src,test,test-audio}/**/*.test.ts', { cwd: fileURLToPath(folder) })
    .sort()
    .flatMap((file) => readClaims(readFileSync(new URL(file, folder), 'utf8')));
}
