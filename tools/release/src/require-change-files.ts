// `node require-change-files.ts BASE`: whoever changes a published package since BASE says in a file of .changeset what
// that means for its users.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

interface Package {
  readonly name: string;
  readonly folder: string;
}

/** Files that are not packed, or that the release writes. */
const unpublished =
  /\.(test|test-d|bench)\.ts$|\/(test|test-audio|testing)\/|\/(CHANGELOG\.md|(vitest|turbo|tsconfig)\b.*)$/;

/** The published packages of which files have changed and that no change file names. */
export function findUnnamed(
  changedFiles: readonly string[],
  packages: readonly Package[],
  changeFiles: readonly string[],
): string[] {
  const named = new Set(
    changeFiles.flatMap((text) => /^---\n(.*?)^---$/ms.exec(text)?.[1]?.match(/@[\w-]+\/[\w-]+/g) ?? []),
  );
  return packages
    .filter(({ folder }) => changedFiles.some((file) => isPublished(file, folder, packages)))
    .map(({ name }) => name)
    .filter((name) => !named.has(name));
}

/** A package may be in the folder of another one. */
function isPublished(file: string, folder: string, packages: readonly Package[]): boolean {
  const owner = packages.map((one) => one.folder).filter((one) => file.startsWith(`${one}/`));
  return owner.sort((a, b) => b.length - a.length)[0] === folder && !unpublished.test(file);
}

/** Every package that is published, in this repository. */
function readPackages(): Package[] {
  return globSync('{spec,packages/*,apps/*,apps/sandbox/engines/*}/package.json').flatMap((path) => {
    const { name, private: isPrivate } = JSON.parse(readFileSync(path, 'utf8'));
    return isPrivate ? [] : [{ name, folder: dirname(path).replaceAll('\\', '/') }];
  });
}

if (import.meta.main) {
  const [base = 'origin/main'] = process.argv.slice(2);
  const changed = execFileSync('git', ['diff', '--name-only', `${base}...HEAD`], { encoding: 'utf8' }).split(
    '\n',
  );
  const changeFiles = changed.filter((file) => file.startsWith('.changeset/') && existsSync(file));
  const unnamed = findUnnamed(
    changed,
    readPackages(),
    changeFiles.map((file) => readFileSync(file, 'utf8')),
  );
  if (unnamed.length > 0) {
    process.stderr.write(
      `No change file names ${unnamed.join(', ')}. Say what changes for users, and commit the file:\n` +
        `    npx pnpm change --bump patch --summary "..." ${unnamed.join(' ')}\n`,
    );
    process.exitCode = 1;
  }
}
