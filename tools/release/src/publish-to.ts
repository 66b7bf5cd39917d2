import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Packed } from '@speech-api/run/packed';
import { installedProgram } from '@speech-api/run/program';
import { changelogOf } from './changes.ts';

type Ranges = Readonly<Record<string, string>>;

/**
 * Publishes packages to a registry as `latest`, with the version `<version>-<suffix>`. Each asks for exactly this version of
 * the others, so that a project never mixes two commits, and says in its changelog what changed. A version that the registry
 * has already is left as it is. The changelogs are also written to a folder, for the site.
 */
export function publishTo(
  registry: string,
  packages: readonly Packed[],
  { suffix, changes }: { readonly suffix: string; readonly changes: string },
): void {
  const versions = new Map(
    packages.map(({ manifest: { name, version } }) => [name, `${version}-${suffix}`] as const),
  );
  const pin = (ranges: Ranges = {}): Ranges =>
    Object.fromEntries(Object.entries(ranges).map(([name, range]) => [name, versions.get(name) ?? range]));
  mkdirSync(changes, { recursive: true });
  for (const item of packages) {
    const { unpacked, manifest } = item;
    const version = versions.get(manifest.name) ?? '';
    const published = publishedVersions(registry, manifest.name);
    const changelog = changelogOf(item, [...new Set([...published, version])]);
    writeFileSync(join(changes, `${manifest.name.split('/')[1]}.md`), changelog);
    if (published.includes(version)) {
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
    writeFileSync(join(unpacked, 'CHANGELOG.md'), changelog);
    pnpm(['publish', '--registry', registry, '--tag', 'latest', '--no-git-checks'], unpacked, 'inherit');
    process.stdout.write(`${manifest.name} ${version}\n`);
  }
}

function publishedVersions(registry: string, name: string): string[] {
  try {
    const text = pnpm(['view', name, 'versions', '--json', '--registry', registry], undefined, 'pipe');
    return [JSON.parse(text)].flat();
  } catch {
    // If the registry does not have it or cannot be reached, publishing gives the reason.
    return [];
  }
}

function pnpm(args: readonly string[], cwd: string | undefined, stderr: 'inherit' | 'pipe'): string {
  const [program, words, shell] = installedProgram('pnpm', args);
  return execFileSync(program, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', stderr], ...shell });
}
