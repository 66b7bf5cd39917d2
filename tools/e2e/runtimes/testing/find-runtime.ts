import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/** A runtime by its program, or why there is none. Where CI is set, nothing may be missing. */
export interface Runtime {
  readonly path: string;
  readonly missing: string | undefined;
}

/** The Node of the machine, in the line that the packages promise to run on, and not the one of this workspace. */
export function findNode20(): Runtime {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  const candidates = [process.env.NODE_20_PATH ?? '', ...folders.map((folder) => join(folder, 'node'))];
  const path = candidates.find(
    (candidate) => existsSync(candidate) && versionOf(candidate).startsWith('v20.'),
  );
  return found(path, 'no Node 20 on the PATH: install one or set NODE_20_PATH');
}

/** A runtime whose program comes as a package for this platform, beside the package that is depended on. */
export function findPackaged(name: string, scope: string, program: string): Runtime {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const builds = join(dirname(dirname(manifest)), scope);
  // Links, which a pattern would not follow; of the builds only that for this machine is installed.
  const paths = existsSync(builds) ? readdirSync(builds).map((build) => join(builds, build, program)) : [];
  return found(paths.find(existsSync), `no build of ${name} for this machine is installed`);
}

function found(path: string | undefined, reason: string): Runtime {
  return {
    path: path ?? '',
    missing: path !== undefined || process.env.CI !== undefined ? undefined : reason,
  };
}

function versionOf(path: string): string {
  try {
    return execFileSync(path, ['--version'], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
