// Each part of the repository has a ceiling of hand-written lines, tests included, in ceilings.json. It only falls: lower it
// after a merge. A commit that raises one touches that file alone and names the promise that it buys.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const ceilings: Record<string, number> = JSON.parse(
  readFileSync(join(root, 'tools/config/ceilings.json'), 'utf8'),
);

// An archive of the sources has no list of tracked files.
if (!existsSync(join(root, '.git'))) process.exit(0);

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
  .split('\0')
  .filter((file) => /\.(ts|tsx|mts|mjs|cjs|js|astro|css|sh|py)$/.test(file) && !file.includes('/generated/'))
  .filter((file) => existsSync(join(root, file)));

for (const [part, ceiling] of Object.entries(ceilings)) {
  const folders = part.split(', ');
  const lines = files
    .filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)))
    .reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0);
  if (lines > ceiling) {
    console.error(`${part}: ${lines} lines; the ceiling in tools/config/ceilings.json is ${ceiling}`);
    process.exitCode = 1;
  }
}
