// Each part of the repository has a ceiling of hand-written lines, tests included, in ceilings.json. The file on `main` counts,
// so that a branch does not raise its own.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const path = 'tools/config/ceilings.json';

// An archive of the sources has no list of tracked files.
if (!existsSync(join(root, '.git'))) process.exit(0);

const ceilings: Record<string, number> = JSON.parse(onMain() ?? readFileSync(join(root, path), 'utf8'));
const files = git('ls-files', '-z')
  .split('\0')
  .filter((file) => /\.(ts|tsx|mts|mjs|cjs|js|astro|css|sh|py)$/.test(file) && !file.includes('/generated/'))
  .filter((file) => existsSync(join(root, file)));

for (const [part, ceiling] of Object.entries(ceilings)) {
  const folders = part.split(', ');
  const lines = files
    .filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)))
    .reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0);
  if (lines > ceiling) {
    console.error(
      `${part}: ${lines} lines; the ceiling is ${ceiling}. Delete ${lines - ceiling} lines, or raise it in ${path}, ` +
        'in a commit of its own that names the promise it buys, and merge that commit first.',
    );
    process.exitCode = 1;
  }
}

/** The file on `main` of the server; undefined in a clone without one. */
function onMain(): string | undefined {
  try {
    return git('show', `origin/main:${path}`);
  } catch {
    return undefined;
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe', maxBuffer: 1 << 26 });
}
