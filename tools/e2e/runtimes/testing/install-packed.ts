import { execFile } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';

const run = promisify(execFile);
const packages = fileURLToPath(new URL('../../../../packages/', import.meta.url));
const program = fileURLToPath(new URL('../program/', import.meta.url));

// Packages published for every runtime, each after those it needs.
const packed = ['types', 'audio', 'msgpack', 'streaming', 'client', 'live'];

/** A folder with the programs in it and the packages installed as a user gets them, while the tests of a file run. */
export function useInstalledPrograms(): { readonly folder: string } {
  let folder = '';
  beforeAll(async () => {
    folder = await installPacked();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    get folder() {
      return folder;
    },
  };
}

/** Packs our packages, unpacks them into a folder outside the workspace, and lays what they depend on beside them. */
async function installPacked(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'speech-runtimes-'));
  cpSync(program, folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  for (const name of packed) {
    const source = join(packages, name);
    await run('pnpm', ['pack', '--pack-destination', folder], { cwd: source });
    const target = join(folder, 'node_modules/@speech-api', name);
    mkdirSync(target, { recursive: true });
    const [archive = ''] = globSync(`speech-api-${name}-*.tgz`, { cwd: folder });
    await run('tar', ['-xzf', join(folder, archive), '-C', target, '--strip-components=1']);
    const manifest = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
    for (const [dependency, version] of Object.entries<string>(manifest.dependencies ?? {})) {
      if (version.startsWith('workspace:') || version.startsWith('catalog:')) {
        throw new Error(
          `the packed @speech-api/${name} asks for ${dependency}@${version}, which nobody can install`,
        );
      }
      if (!dependency.startsWith('@speech-api/')) copyDependency(dependency, source, folder);
    }
  }
  return folder;
}

/** One foreign package and what it depends on in turn, as installed here: nothing is downloaded. */
function copyDependency(name: string, dependent: string, folder: string): void {
  const source = realpathSync(join(dependent, 'node_modules', name));
  const target = join(folder, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target, { recursive: true, filter: (path) => !path.endsWith('/node_modules') });
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  // Side by side with the package in the store of pnpm.
  const beside = source.slice(0, source.lastIndexOf(`/node_modules/${name}`));
  for (const inner of Object.keys(manifest.dependencies ?? {})) copyDependency(inner, beside, folder);
}
