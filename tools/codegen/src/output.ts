import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** The folders that hold generated files and nothing else, relative to the repository. */
const outputFolders = ['packages/types/src/generated', 'tools/codegen/generated'];

/** The committed files by their path. */
export function readOutput(): Map<string, string> {
  const paths = globSync(
    outputFolders.map((folder) => `${folder}/*`),
    { cwd: repository },
  );
  // A checkout may convert the ends of lines, which is not a difference.
  const read = (path: string): string =>
    readFileSync(join(repository, path), 'utf8').replaceAll('\r\n', '\n');
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), read(path)]));
}

/** Writes what changed, removes what is no longer generated, and returns the paths of both. */
export function writeOutput(files: ReadonlyMap<string, string>): string[] {
  const changed = differences(files, readOutput());
  for (const path of changed) {
    const code = files.get(path);
    if (code === undefined) rmSync(join(repository, path));
    else {
      mkdirSync(dirname(join(repository, path)), { recursive: true });
      writeFileSync(join(repository, path), code);
    }
  }
  return changed;
}

/** Paths of files that differ, are missing or are no longer generated. */
export function differences(
  wanted: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
): string[] {
  return [...new Set([...wanted.keys(), ...present.keys()])]
    .filter((path) => wanted.get(path) !== present.get(path))
    .sort();
}
