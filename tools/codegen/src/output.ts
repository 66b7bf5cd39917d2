import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** The folders that hold generated files and nothing else, relative to the repository. */
const outputFolders = ['packages/types/src/generated', 'tools/codegen/generated'] as const;

/** The committed files by their path. */
export async function readOutput(): Promise<Map<string, string>> {
  const files = await Promise.all(
    outputFolders.map(async (folder) => {
      const names = await readdir(join(repository, folder)).catch(() => []);
      return names.map((name) => `${folder}/${name}`);
    }),
  );
  return new Map(
    await Promise.all(
      files
        .flat()
        .map(async (path): Promise<[string, string]> => [path, await readText(join(repository, path))]),
    ),
  );
}

/** Writes what changed, removes what is no longer generated, and returns the paths of both. */
export async function writeOutput(files: ReadonlyMap<string, string>): Promise<string[]> {
  const changed = differences(files, await readOutput());
  for (const path of changed) {
    const code = files.get(path);
    if (code === undefined) await rm(join(repository, path));
    else {
      await mkdir(dirname(join(repository, path)), { recursive: true });
      await writeFile(join(repository, path), code);
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

async function readText(path: string): Promise<string> {
  // A checkout may convert line ends; that is not a difference.
  return (await readFile(path, 'utf8')).replaceAll('\r\n', '\n');
}
