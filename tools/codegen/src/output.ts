import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Where the generated files of `@speech-api/types` live. */
export const outputDirectory = fileURLToPath(
  new URL('../../../packages/types/src/generated/', import.meta.url),
);

/** The committed files by their name. */
export async function readOutput(directory = outputDirectory): Promise<Map<string, string>> {
  const names = (await readdir(directory)).sort();
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, string]> => [name, await readText(directory + name)]),
    ),
  );
}

/** Writes what changed, removes what is no longer generated, and returns the names of both. */
export async function writeOutput(
  files: ReadonlyMap<string, string>,
  directory = outputDirectory,
): Promise<string[]> {
  await mkdir(directory, { recursive: true });
  const present = await readOutput(directory);
  const changed = differences(files, present);
  for (const name of changed) {
    const code = files.get(name);
    if (code === undefined) await rm(directory + name);
    else await writeFile(directory + name, code);
  }
  return changed;
}

/** Names of files that differ, are missing or are too many. */
export function differences(
  wanted: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
): string[] {
  return [...new Set([...wanted.keys(), ...present.keys()])]
    .filter((name) => wanted.get(name) !== present.get(name))
    .sort();
}

async function readText(path: string): Promise<string> {
  // A checkout may turn line ends around; that is no drift.
  return (await readFile(path, 'utf8')).replaceAll('\r\n', '\n');
}
