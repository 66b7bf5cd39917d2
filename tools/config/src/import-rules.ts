/**
 * Who may stand on whom, as the architecture draws it. Only the edges between workspaces are listed:
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
  bench: internal(['client', 'streaming', 'msgpack', 'types', 'spec', 'sandbox', 'mock']),
  codegen: internal(['spec']),
  diff: internal(['spec']),
  config: internal([]),
  e2e: internal([
    'ai-sdk',
    'client',
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
  run: internal(['client', 'sandbox', 'streaming', 'audio', 'types']),
  samples: internal(['spec', 'client', 'sandbox', 'types']),
};
