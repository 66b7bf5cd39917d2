import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import supported from '@speech-api/config/supported-versions' with { type: 'json' };
import type { Packed } from '@speech-api/run/packed';
import { type Installation, installProject, type Project, type Served } from './installers.ts';

export interface Given {
  readonly packages: readonly Packed[];
  readonly url: string;
}

/** One way to use the packages: an installation, files, and commands with their output. */
export interface Consumer {
  readonly id: string;
  readonly promise: string;
  /** Consumers with the same function share the installation. */
  readonly install: (given: Given) => Installation;
  readonly files?: (given: Given) => Files | Promise<Files>;
  readonly steps: (given: Given, project: Project) => readonly Step[];
}

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A command in the project. `{sandbox}` stands for the address of the step that serves under that name, `{sandboxSocket}` for
 * that of its socket, `{registry}` for that of the registry. */
export interface Step {
  readonly command: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  readonly prints?: readonly (RegExp | string)[];
  readonly printsNo?: RegExp;
  /** It is refused, with an exit code other than 0. */
  readonly fails?: boolean;
  /** It is a server that runs until the last step has ended, and answers this path with success. */
  readonly serves?: { readonly as: string; readonly answers: string; readonly request?: RequestInit };
  /** Files of the project that are copied to an empty folder, where it runs. */
  readonly alone?: readonly string[];
}

/** The compilers that SUPPORT.md promises, as dependencies. The newest has its own name, because other tools ask for it. */
export const compilers = supported.typescript.map((range, index, { length }) =>
  index === length - 1
    ? (['typescript', range] as const)
    : ([`typescript-${range.replace(/^\D*|\.\d+$/g, '')}`, `npm:typescript@${range}`] as const),
);

export const key = 'sandbox-key';

export const namedPackages =
  (...names: readonly string[]) =>
  ({ manifest }: Packed): boolean =>
    names.some((name) => manifest.name === `@speech-api/${name}`);

/** The packages that are for browsers and workers as well, so that they may not lean on Node's types. */
export const forBrowsers = namedPackages('types', 'audio', 'msgpack', 'streaming', 'client');

/** Uses the packages as a consumer does. Throws with the output of the first step that does not do what it should. */
export type Use = (consumer: Consumer) => Promise<void>;

/** Keeps what is installed until it is closed, for the consumers that share it. */
export function consumersOf(given: Given, registry: string): { readonly use: Use; close(): Promise<void> } {
  const projects = new Map<Consumer['install'], Promise<Project>>();
  const use: Use = async ({ install, files, steps }) => {
    const installing = projects.get(install) ?? installProject(install(given), registry);
    projects.set(install, installing);
    const project = await installing;
    for (const [path, content] of Object.entries((await files?.(given)) ?? {})) project.write(path, content);
    await using servers = new AsyncDisposableStack();
    const addresses = new Map([['registry', registry]]);
    const fill = (text: string) =>
      text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => addresses.get(name) ?? whole);
    for (const step of steps(given, project)) {
      const command = step.command.map(fill);
      const environment = Object.fromEntries(
        Object.entries(step.environment ?? {}).map(([name, value = '']) => [name, fill(value)]),
      );
      if (step.serves) {
        const served = servers.use(await project.serve(command, environment));
        addresses.set(step.serves.as, served.url);
        addresses.set(`${step.serves.as}Socket`, served.url.replace('http', 'ws'));
        await expectAnswer(served, step.serves);
      } else await runStep(project, { ...step, command, environment });
    }
  };
  const close = async () => {
    for (const project of projects.values()) (await project.catch(() => undefined))?.remove();
  };
  return { use, close };
}

async function runStep({ folder, run }: Project, step: Step): Promise<void> {
  const { command, environment, alone, prints = [], printsNo, fails = false } = step;
  const where = alone === undefined ? folder : mkdtempSync(join(tmpdir(), 'speech-alone-'));
  for (const path of alone ?? []) cpSync(join(folder, path), join(where, basename(path)));
  const { failed, output } = await run(command, environment, where).then(
    (output) => ({ failed: false, output }),
    ({ message }: Error) => ({ failed: true, output: message }),
  );
  if (where !== folder) rmSync(where, { recursive: true });
  if (failed && !fails) throw new Error(output);
  if (fails && !failed) throw new Error(`${command.join(' ')} does not fail:\n${output}`);
  const isPrinted = (expected: RegExp | string) =>
    typeof expected === 'string' ? output.includes(expected) : expected.test(output);
  const lacking = prints.filter((expected) => !isPrinted(expected));
  if (lacking.length > 0)
    throw new Error(`${command.join(' ')} does not print ${lacking.join(', ')}:\n${output}`);
  if (printsNo?.test(output)) throw new Error(`${command.join(' ')} prints ${printsNo}:\n${output}`);
}

async function expectAnswer({ url }: Served, { as, answers, request }: NonNullable<Step['serves']>) {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(url + answers, { headers, ...request });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${as} answers ${answers} with ${response.status}`);
}
