import { execFileSync, type StdioOptions } from 'node:child_process';
import { tmpdir } from 'node:os';
import { installedProgram } from '@speech-api/run/program';
import { findProgram } from '@speech-api/runtimes';

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

/** A runtime of `tools/runtimes`. */
export function findPackaged(name: Parameters<typeof findProgram>[0]): Runtime {
  return found(findProgram(name), `no build of ${name} for this machine is installed`);
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
