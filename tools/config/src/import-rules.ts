/**
 * Which workspace may import which. Only the edges between workspaces are listed:
 * `turbo boundaries` already refuses an import that a package.json does not declare, and a file outside its package.
 */
export interface ImportRule {
  /** Workspaces it may import at run time. */
  readonly dependencies: readonly string[];
  /** Workspaces that its build and tests may use besides. */
  readonly devDependencies: readonly string[];
  /** Published to other teams: it may never need a private workspace. */
  readonly published: boolean;
}

const published = (dependencies: readonly string[], devDependencies: readonly string[] = []): ImportRule => ({
  dependencies,
  devDependencies,
  published: true,
});

/** Apps that stay here and repository tools: what they need is listed once, wherever they declare it. */
const internal = (workspaces: readonly string[]): ImportRule => ({
  dependencies: workspaces,
  devDependencies: workspaces,
  published: false,
});

/** By the name of the workspace without its scope. A workspace that is not listed here is refused. */
export const importRules: Readonly<Record<string, ImportRule>> = {
  spec: published([]),
  types: published([]),
  audio: published(['types']),
  msgpack: published(['types']),
  streaming: published(['types']),
  client: published(['types', 'audio', 'msgpack', 'streaming']),
  'ai-sdk': published(['client', 'types']),
  live: published(['types', 'msgpack', 'streaming', 'client']),
  // The relay decodes with the field's libraries: it is the other end of what live sends.
  relay: published(['types']),
  recordings: published(['types', 'audio', 'streaming', 'client']),
  // One bundle: what it uses is inside, and it installs without dependencies.
  cli: published([], ['types', 'audio', 'streaming', 'client', 'live', 'recordings']),
  // The servers' side decodes with the field's libraries, never with ours: a shared bug would hide itself.
  server: published(['spec', 'types']),
  sandbox: published(['types', 'server', 'spec']),
  // The judge reads the spec alone: neither our decoders nor a server of ours, or a shared bug would hide itself.
  contract: published(['spec', 'types']),
  mock: published(['types', 'server', 'spec']),
  // Its licence is not ours: it is started as a process, and nobody may import it.
  'engine-espeak': internal([]),
  docs: internal([
    'client',
    'live',
    'relay',
    'recordings',
    'ai-sdk',
    // Its own help becomes the pages of the command.
    'cli',
    'audio',
    'msgpack',
    'streaming',
    'types',
    'spec',
    'server',
    'sandbox',
    'mock',
    'bench',
    'contract',
  ]),
  bench: internal([
    'cli',
    'client',
    'live',
    'recordings',
    'streaming',
    'msgpack',
    'types',
    'spec',
    'sandbox',
    'mock',
    'relay',
  ]),
  codegen: internal(['spec']),
  diff: internal(['spec']),
  config: internal([]),
  e2e: internal([
    'ai-sdk',
    'client',
    'live',
    'relay',
    'recordings',
    'cli',
    'streaming',
    'msgpack',
    'audio',
    'types',
    'spec',
    'sandbox',
    'mock',
    'server',
    'contract',
    'docs',
    'run',
  ]),
  run: internal(['client', 'relay', 'sandbox', 'streaming', 'audio', 'types']),
  recipes: internal(['audio', 'client', 'live', 'mock', 'relay', 'sandbox', 'spec', 'types']),
};

const scope = '@speech-api/';

/** How the tests of every workspace are run. */
const testSettings = 'config';

/** The dependencies in a package.json. */
export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Each sentence names the manifest, the edge and what to do. */
export function findViolations(
  manifests: readonly Manifest[],
  rules: Readonly<Record<string, ImportRule>>,
): string[] {
  const violations: string[] = [];
  for (const manifest of manifests) {
    const rule = rules[shortName(manifest.name)];
    if (rule === undefined) {
      violations.push(`${manifest.name} has no import rule: add it to tools/config/src/import-rules.ts.`);
      continue;
    }
    const atRunTime = workspacesIn({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
    });
    for (const name of atRunTime) {
      if (!rule.dependencies.includes(name)) {
        violations.push(`${manifest.name} may not import ${scope}${name}.`);
      }
    }
    for (const name of workspacesIn(manifest.devDependencies ?? {})) {
      if (name === testSettings) continue;
      if (!rule.devDependencies.includes(name) && !rule.dependencies.includes(name)) {
        violations.push(
          `${manifest.name} may not use ${scope}${name} in its build or tests; two-sided tests live in tools/e2e.`,
        );
      }
    }
  }
  return violations;
}

function workspacesIn(dependencies: Readonly<Record<string, string>>): string[] {
  return Object.keys(dependencies)
    .filter((name) => name.startsWith(scope))
    .map(shortName);
}

function shortName(name: string): string {
  return name.startsWith(scope) ? name.slice(scope.length) : name;
}
