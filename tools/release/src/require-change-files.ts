// `node require-change-files.ts BASE`: whoever changes a published package since BASE says in a file of .changeset what
// that means for its users.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Package {
  readonly name: string;
  readonly folder: string;
}

/** Files that are not packed, or that the release writes. */
const unpublished =
  /\.(test|test-d|bench)\.ts$|\/(test|test-audio|testing)\/|\/(CHANGELOG\.md|(vitest|turbo|tsconfig)\b.*)$/;

/** What callers compile against: the API reports, and the generated types, which have none. */
export const declarations = /\/api\.txt$|^packages\/types\/src\//;

/** The published packages of which such files have changed since the base and that no change file since then names. */
export function findUnnamed(root: string, base: string, among = /^/): string[] {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const list = (...args: string[]): string[] =>
    git(...args)
      .split('\n')
      .filter((line) => line !== '');
  const start = git('merge-base', base, 'HEAD').trim();
  const unchanged = list('diff', '--name-only', '--diff-filter=M', start, '--', '*/package.json').filter(
    (file) =>
      packedParts(git('show', `${start}:${file}`)) === packedParts(readFileSync(join(root, file), 'utf8')),
  );
  const changed = [
    ...list('diff', '--name-only', start).filter((file) => !unchanged.includes(file)),
    ...list('ls-files', '--others', '--exclude-standard'),
  ];
  const changeFiles = [
    // `pnpm version` removes the change files that it has turned into versions.
    git('log', '--format=', '-p', '--no-renames', '--diff-filter=AM', `${base}..HEAD`, '--', '.changeset'),
    ...changed
      .filter((file) => file.startsWith('.changeset/') && existsSync(join(root, file)))
      .map((file) => readFileSync(join(root, file), 'utf8')),
  ];
  const named = changeFiles.flatMap((text) =>
    [...text.matchAll(/^\+?["'](@[\w-]+\/[\w-]+)["']: \w+$/gm)].map(([, name]) => name),
  );
  const packages = readPackages(root);
  return packages
    .filter(({ folder }) => changed.some((file) => among.test(file) && isPublished(file, folder, packages)))
    .map(({ name }) => name)
    .filter((name) => !named.includes(name));
}

/** What users get of a package.json. `pnpm version` writes another version, and sorts the dependencies. */
function packedParts(text: string): string {
  const { version, scripts, devDependencies, dependencies = {}, ...others } = JSON.parse(text);
  return JSON.stringify([others, Object.entries(dependencies).sort()]);
}

/** A package may be in the folder of another one. */
function isPublished(file: string, folder: string, packages: readonly Package[]): boolean {
  const owner = packages.map((one) => one.folder).filter((one) => file.startsWith(`${one}/`));
  return owner.sort((a, b) => b.length - a.length)[0] === folder && !unpublished.test(file);
}

/**
 * Every package that is published with the shared version. The specification has its own: its changelog is written with
 * the change, and `npm run diff` refuses a change without.
 */
function readPackages(root: string): Package[] {
  const paths = globSync('{packages/*,apps/*,apps/sandbox/engines/*}/package.json', { cwd: root });
  return paths.sort().flatMap((path) => {
    const { name, private: isPrivate } = JSON.parse(readFileSync(join(root, path), 'utf8'));
    return isPrivate ? [] : [{ name, folder: dirname(path).replaceAll('\\', '/') }];
  });
}

/** The sentence that asks for the change files that are missing. */
export const askFor = (unnamed: readonly string[]): string =>
  `No change file names ${unnamed.join(', ')}. Say what changes for users, and commit the file:\n` +
  `    npx pnpm change --bump patch --summary "..." ${unnamed.join(' ')}`;

if (import.meta.main) {
  const unnamed = findUnnamed('.', process.argv[2] ?? 'origin/main');
  if (unnamed.length > 0) {
    process.stderr.write(`${askFor(unnamed)}\n`);
    process.exitCode = 1;
  }
}
