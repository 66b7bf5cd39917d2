import { glob, readFile, realpath, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What an installation puts on the disk. */
export interface InstalledSize {
  readonly bytes: number;
  readonly files: number;
  readonly packages: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * What `npm install` of a package brings: the files that its manifest packs, and those of its dependencies.
 *
 * @param counts - Which of them count.
 */
export async function installedSize(
  name: string,
  counts: (name: string) => boolean = () => true,
): Promise<InstalledSize> {
  const found = new Map<string, { bytes: number; files: number }>();
  await collect(name, import.meta.url, found);
  const counted = [...found].filter(([one]) => counts(one));
  return {
    bytes: counted.reduce((sum, [, { bytes }]) => sum + bytes, 0),
    files: counted.reduce((sum, [, { files }]) => sum + files, 0),
    packages: counted.map(([one]) => one),
  };
}

async function collect(
  name: string,
  from: string,
  found: Map<string, { bytes: number; files: number }>,
): Promise<void> {
  if (found.has(name)) return;
  const manifestPath = await findManifest(name, from);
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as Manifest;
  found.set(name, await measure(dirname(manifestPath), manifest));
  for (const dependency of Object.keys(manifest.dependencies ?? {}))
    await collect(dependency, manifestPath, found);
}

async function findManifest(name: string, from: string): Promise<string> {
  // By folders and not by `require.resolve`, because some packages do not export their manifest.
  for (const folder of createRequire(from).resolve.paths(name) ?? []) {
    const path = join(folder, name, 'package.json');
    const exists = await stat(path).then(
      () => true,
      () => false,
    );
    // The real path, because its own dependencies are beside it there.
    if (exists) return await realpath(path);
  }
  throw new Error(`${name} is not installed beside ${from}`);
}

async function measure(folder: string, { name, files }: Manifest): Promise<{ bytes: number; files: number }> {
  // A dependency is on the disk as it was packed; a workspace is not, and says what it packs.
  const isWorkspace = name.startsWith('@speech-api/');
  const patterns = isWorkspace
    ? ['package.json', 'README*', 'LICENSE*', ...(files ?? []).flatMap((one) => [one, `${one}/**`])]
    : ['**'];
  const paths = new Set<string>();
  for await (const path of glob(patterns, { cwd: folder, exclude: ['node_modules', 'node_modules/**'] }))
    paths.add(path);
  let bytes = 0;
  let count = 0;
  for (const path of paths) {
    const entry = await stat(join(folder, path));
    if (!entry.isFile()) continue;
    bytes += entry.size;
    count += 1;
  }
  return { bytes, files: count };
}
