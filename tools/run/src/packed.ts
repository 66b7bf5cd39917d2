import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installedProgram } from '../program.mjs';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The parts of a package.json about how a package is installed. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly engines: { readonly node: string };
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly repository?: { readonly url: string; readonly directory: string };
}

/** A package as it would be published. */
export interface Packed {
  readonly manifest: Manifest;
  /** Folder of the package in this repository. */
  readonly source: string;
  readonly archive: string;
  /** Folder with the files of the archive. */
  readonly unpacked: string;
}

/** Packed packages in a temporary folder. */
export interface AllPacked {
  readonly packages: readonly Packed[];
  remove(): void;
}

/** The folders of the packages that are published. */
function publishedFolders(): string[] {
  return globSync(['spec', 'packages/*', 'apps/*', 'apps/sandbox/engines/*'], { cwd: root })
    .map((path) => join(root, path))
    .filter((source) => readManifest(source).private !== true)
    .sort();
}

/** Packs every package that is published, or those whose folders have these names. They have to be built. */
export async function packAll({
  names,
  isLoud = false,
}: {
  readonly names?: readonly string[];
  /** Whether each package is named on stderr before it is packed. */
  readonly isLoud?: boolean;
} = {}): Promise<AllPacked> {
  const folder = mkdtempSync(join(tmpdir(), 'speech-packed-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const sources = publishedFolders().filter((source) => names?.includes(basename(source)) ?? true);
    const packages: Packed[] = [];
    for (const [index, source] of sources.entries()) {
      const { name, version } = readManifest(source);
      if (isLoud) process.stderr.write(`Packing ${index + 1} of ${sources.length}: ${name}\n`);
      const [program, words, shell] = installedProgram('pnpm', ['pack', '--pack-destination', folder]);
      await execute(program, words, { cwd: source, ...shell });
      const archive = `${name.slice(1).replace('/', '-')}-${version}.tgz`;
      const unpacked = join(folder, basename(source));
      mkdirSync(unpacked);
      // A relative path: some tar programs read the colon of `C:` as the end of a host's name.
      await execute('tar', ['-xzf', `../${archive}`, '--strip-components=1'], { cwd: unpacked });
      packages.push({ manifest: readManifest(unpacked), source, archive: join(folder, archive), unpacked });
    }
    return { packages, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
