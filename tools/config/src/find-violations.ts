import type { ImportRule } from './import-rules.ts';

const scope = '@speech-api/';

/** The parts of a package.json that say who stands on whom. */
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
