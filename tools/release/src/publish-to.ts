import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Packed } from '@speech-api/run/packed';
import { installedProgram } from '@speech-api/run/program';

type Ranges = Readonly<Record<string, string>>;

/**
 * Publishes packages to a registry under the tag `next`, as `<version>-<suffix>`. Each asks for exactly this version of the
 * others, so that a project never mixes two commits. A version that the registry has already is left as it is.
 */
export function publishTo(registry: string, packages: readonly Packed[], suffix: string): void {
  const versions = new Map(
    packages.map(({ manifest: { name, version } }) => [name, `${version}-${suffix}`] as const),
  );
  const pin = (ranges: Ranges = {}): Ranges =>
    Object.fromEntries(Object.entries(ranges).map(([name, range]) => [name, versions.get(name) ?? range]));
  for (const { unpacked, manifest } of packages) {
    const version = versions.get(manifest.name) ?? '';
    if (isPublished(registry, `${manifest.name}@${version}`)) {
      process.stdout.write(`${manifest.name} ${version} is in the registry already\n`);
      continue;
    }
    const path = join(unpacked, 'package.json');
    const { dependencies, peerDependencies, ...rest } = JSON.parse(readFileSync(path, 'utf8'));
    const pinned = {
      ...rest,
      version,
      ...(dependencies && { dependencies: pin(dependencies) }),
      ...(peerDependencies && { peerDependencies: pin(peerDependencies) }),
    };
    writeFileSync(path, `${JSON.stringify(pinned, null, 2)}\n`);
    pnpm(['publish', '--registry', registry, '--tag', 'next', '--no-git-checks'], unpacked, 'inherit');
    process.stdout.write(`${manifest.name} ${version}\n`);
  }
}

function isPublished(registry: string, spec: string): boolean {
  try {
    return pnpm(['view', spec, 'version', '--registry', registry], undefined, 'pipe').trim() !== '';
  } catch {
    // If the registry does not have it or cannot be reached, publishing gives the reason.
    return false;
  }
}

function pnpm(args: readonly string[], cwd: string | undefined, stderr: 'inherit' | 'pipe'): string {
  const [program, words, shell] = installedProgram('pnpm', args);
  return execFileSync(program, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', stderr], ...shell });
}
