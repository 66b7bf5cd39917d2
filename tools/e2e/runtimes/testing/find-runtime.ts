import { execFileSync, type StdioOptions } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installedProgram } from '@speech-api/run/program';

/** A runtime by its program, or why there is none. Where CI is set, nothing may be missing. */
export interface Runtime {
  readonly path: string;
  readonly missing: string | undefined;
}

const nodes = new Map<string, Runtime>();

/** A version of Node, as npm keeps it: the first time it is downloaded. npm takes seconds to say where it is. */
export function findNode(version: string): Runtime {
  const node = nodes.get(version) ?? askForNode(version);
  nodes.set(version, node);
  return node;
}

function askForNode(version: string): Runtime {
  const command = ['exec', '--yes', `--package=node@${version}`, '--', 'node', '-p', 'process.execPath'];
  try {
    // Elsewhere, npm would look at the workspace.
    const [npm, words, shell] = installedProgram('npm', command);
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
    const path = execFileSync(npm, words, { encoding: 'utf8', cwd: tmpdir(), stdio, ...shell });
    return found(path.trim(), '');
  } catch {
    return found(undefined, `npm cannot get node@${version}`);
  }
}

/** A runtime whose program comes as a package for this platform, beside the package that is depended on. */
export function findPackaged(name: string, scope: string, program: string): Runtime {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const builds = join(dirname(dirname(manifest)), scope);
  // Links, which a pattern would not follow; of the builds only that for this machine is installed.
  const file = process.platform === 'win32' ? `${program}.exe` : program;
  const paths = existsSync(builds) ? readdirSync(builds).map((build) => join(builds, build, file)) : [];
  return found(paths.find(existsSync), `no build of ${name} for this machine is installed`);
}

function found(path: string | undefined, reason: string): Runtime {
  return {
    path: path ?? '',
    missing: path !== undefined || process.env.CI !== undefined ? undefined : reason,
  };
}

export function because(missing: string | undefined): string {
  return missing ? ` (${missing})` : '';
}
