import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import versions from '../versions.json' with { type: 'json' };

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

/** A runtime whose program comes as a package for this platform, beside the package that names its builds. */
export function findPackaged(name: string, scope: string, program: string): Runtime {
  const { packages, reason } = fetched();
  const builds = join(packages, scope);
  const paths = existsSync(builds) ? readdirSync(builds).map((build) => join(builds, build, program)) : [];
  return found(paths.find(existsSync), reason ?? `there is no build of ${name} for this machine`);
}

let once: { readonly packages: string; readonly reason?: string } | undefined;

/**
 * Fetches the runtimes of `versions.json`, when this suite runs for the first time. They are 350 MB on the disk: nobody
 * who only wants to hear a sentence should have to wait for them.
 */
function fetched(): { readonly packages: string; readonly reason?: string } {
  once ??= fetchRuntimes();
  return once;
}

function fetchRuntimes(): { readonly packages: string; readonly reason?: string } {
  const folder = fileURLToPath(new URL('../../node_modules/.cache/runtimes/', import.meta.url));
  const packages = join(folder, 'node_modules');
  const wanted = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  mkdirSync(folder, { recursive: true });
  try {
    // The programs come ready made in the packages: no script of theirs has to run.
    const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', '--prefix', folder, ...options, ...wanted], {
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    return { packages };
  } catch (error) {
    return { packages, reason: `the runtimes could not be fetched: ${(error as Error).message}` };
  }
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
