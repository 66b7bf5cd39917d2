// The lint step: which workspace may import which. Only the edges between workspaces are listed, because `turbo boundaries`
// already refuses an import that a package.json does not declare, a file outside its package, and a cycle of packages.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** Dependencies between published workspaces. */
export const published: Readonly<Record<string, string>> = {
  spec: '',
  types: '',
  audio: 'types',
  msgpack: 'types',
  streaming: 'types',
  client: 'types audio msgpack streaming',
  'ai-sdk': 'client live types',
  live: 'types msgpack streaming client',
  relay: 'types msgpack',
  recordings: 'types audio streaming client',
  cli: '',
  sandbox: 'types spec',
  // The judge reads the spec only, neither our decoders nor our servers, because a shared bug would hide itself.
  contract: 'spec types',
  mcp: 'spec types client contract msgpack',
  mock: 'types spec',
};

/** Apps and tools of this repository. For these, dependencies and devDependencies count alike. */
const inside: Readonly<Record<string, string>> = {
  // The command is one bundle: what it uses is inside, and it installs without dependencies.
  cli: 'types audio streaming client live recordings program',
  // Its build includes the pages of the site, and its tools are tested against a speaking service.
  // `check_request` answers what the servers would.
  mcp: 'audio docs program sandbox server',
  // It is part of both servers. They decode with common libraries, never with ours, because a shared bug would hide itself.
  // Sound is the exception: the judge and the tests have readers of their own.
  server: 'spec types audio program',
  sandbox: 'server audio program',
  mock: 'server audio program',
  relay: 'program',
  contract: 'program',
  // What programs share knows nothing of speech, so that the judge may use it, too.
  program: '',
  // Its licence is different: it is started as a process, and nobody may import it.
  'engine-espeak': '',
  // `cli` is used because its help becomes the pages of the command.
  docs: 'client live relay recordings ai-sdk cli audio msgpack streaming types spec sandbox mock bench contract',
  bench: 'client live streaming msgpack spec sandbox mock',
  codegen: 'spec',
  diff: 'spec',
  config: '',
  e2e: 'ai-sdk client live relay recordings cli streaming msgpack audio types spec sandbox mock server contract docs recipes run runtimes',
  release: 'ai-sdk audio client contract live mock msgpack recordings relay run sandbox spec streaming',
  run: 'client relay sandbox streaming audio types',
  recipes: 'audio client live mock relay runtimes sandbox spec types',
  runtimes: '',
};

const scope = '@speech-api/';

/** The dependencies in a package.json. */
export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Returns sentences that name the manifest, the forbidden import and the remedy. */
export function findViolations(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap(({ name: fullName, devDependencies, ...manifest }) => {
    const name = fullName.slice(scope.length);
    if (published[name] === undefined && inside[name] === undefined)
      return [`${fullName} has no import rule: add it to tools/config/src/import-rules.ts.`];
    const { dependencies, peerDependencies, optionalDependencies } = manifest;
    const atRunTime = workspacesIn({ ...dependencies, ...peerDependencies, ...optionalDependencies });
    const allowed = (published[name] ?? inside[name] ?? '').split(' ');
    // The tests of every workspace take their setup from `config`.
    const inTests = [...allowed, ...(inside[name] ?? '').split(' '), 'config'];
    return [
      ...atRunTime
        .filter((imported) => !allowed.includes(imported))
        .map((imported) => `${fullName} may not import ${scope}${imported}.`),
      ...workspacesIn({ ...devDependencies })
        .filter((imported) => !inTests.includes(imported))
        .map(
          (imported) =>
            `${fullName} may not use ${scope}${imported} in its build or tests; two-sided tests live in tools/e2e.`,
        ),
    ];
  });
}

function workspacesIn(dependencies: Readonly<Record<string, string>>): string[] {
  return Object.keys(dependencies).flatMap((name) =>
    name.startsWith(scope) ? [name.slice(scope.length)] : [],
  );
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const { packages }: { packages: string[] } = parse(readFileSync(`${root}pnpm-workspace.yaml`, 'utf8'));
  const paths = globSync(
    packages.map((pattern) => `${pattern}/package.json`),
    { cwd: root },
  );
  const violations = findViolations(paths.map((path) => JSON.parse(readFileSync(root + path, 'utf8'))));
  for (const violation of violations) process.stderr.write(`${violation}\n`);
  process.stdout.write(`${paths.length} workspaces checked, ${violations.length} forbidden imports.\n`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
