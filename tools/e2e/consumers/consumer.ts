import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import supported from '@speech-api/config/supported-versions' with { type: 'json' };
import type { Packed } from '@speech-api/run/packed';
import type { Project, ProjectOptions } from './project.ts';

/** Input of a consumer from the run that it is part of. */
export interface Surroundings {
  readonly packages: readonly Packed[];
  /** Address of a sandbox. */
  readonly url: string;
  /** Installs some of the packages in an empty folder. */
  install(options: Omit<ProjectOptions, 'registry'>): Promise<Project>;
  /** The project that most consumers share: everything of ours installed with npm, beside the tools that they use. */
  shared(): Promise<Project>;
}

/** One way to use the packages. It throws when it does not work, and resolves with what it used. */
export interface Consumer {
  readonly id: string;
  use(surroundings: Surroundings): Promise<string>;
}

/** The compilers that SUPPORT.md promises, as dependencies. The newest has its own name, because other tools ask for it. */
export const compilers = supported.typescript.map((range, index, { length }) =>
  index === length - 1
    ? (['typescript', range] as const)
    : ([`typescript-${range.replace(/^\D*|\.\d+$/g, '')}`, `npm:typescript@${range}`] as const),
);

/** The key of the sandbox. */
export const key = 'sandbox-key';

/** The package of npm that holds the program of Node for this machine. */
export const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

export const runsOnNode20 = ({ manifest }: Packed): boolean => manifest.engines.node.startsWith('^20.19');

/** The packages that are for browsers and workers as well, so that they may not lean on Node's types. */
export const forBrowsers = ({ manifest }: Packed): boolean =>
  ['types', 'audio', 'msgpack', 'streaming', 'client'].some(
    (name) => manifest.name === `@speech-api/${name}`,
  );

export function versionOf({ folder }: Project, name: string): string {
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
}
