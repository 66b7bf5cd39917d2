// What nobody could install, use or be allowed to use, found in a package as it is packed.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundledLicences } from '@speech-api/config/write-notices';
import type { Packed } from '@speech-api/run/packed';

/** In kilobytes, compressed. The command is one bundle, and the specification is in there five times. */
const limits: Readonly<Record<string, number>> = { '@speech-api/cli': 1000, '@speech-api/spec': 700 };
const usualLimit = 300;

const notices = 'dist/THIRD-PARTY-NOTICES.md';

/** The sentences that speak against publishing a package. Each names the package and what to do. */
export function checkArchive({ manifest, source, archive, unpacked }: Packed): string[] {
  const { name } = manifest;
  const has = (path: string): boolean =>
    path.includes('*') ? globSync(path, { cwd: unpacked }).length > 0 : existsSync(join(unpacked, path));
  const kilobytes = Math.ceil(statSync(archive).size / 1000);
  const limit = limits[name] ?? usualLimit;
  const tooLarge = `is ${kilobytes} kB; the limit is ${limit}. Remove files, or raise the limit in check-archive.ts`;
  return [
    ...leakedRanges(manifest),
    ...[...namedFiles(manifest)]
      .filter((path) => !has(path))
      .map((path) => `names ${path}, which is not in its archive. Build it, or correct package.json`),
    ...(has('LICENSE') ? [] : ['has no LICENSE file. Restore LICENSE in the root; packing copies it']),
    ...('license' in manifest ? [] : ['names no licence in package.json']),
    ...(existsSync(join(source, notices)) && !has(notices)
      ? [`leaves out ${notices}. Add it to files in package.json`]
      : []),
    ...(has(notices) ? forbiddenLicences(readFileSync(join(unpacked, notices), 'utf8')) : []),
    ...(kilobytes > limit ? [tooLarge] : []),
  ].map((problem) => `${name} ${problem}.`);
}

/** Ranges that mean something in this repository only. */
function leakedRanges(manifest: object): string[] {
  return ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries((manifest as Record<string, Record<string, string>>)[kind] ?? {})
      .filter(([, range]) => /^(workspace|catalog|link|file):/.test(range))
      .map(([dependency, range]) => `depends on ${dependency} ${range}. Pack it with pnpm, not with npm`),
  );
}

/** Every file that `exports`, `bin`, `main` or `types` names. */
function namedFiles(manifest: object): Set<string> {
  const { exports, bin, main, types } = manifest as Readonly<Record<string, unknown>>;
  return new Set(stringsIn([exports, bin, main, types]));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** The build refuses them too; an archive that is checked by itself may have been built by anything. */
function forbiddenLicences(text: string): string[] {
  return [...text.matchAll(/^## (.+)\n\n([^,\n]+),/gm)]
    .filter(([, , licence = '']) => !bundledLicences.includes(licence))
    .map(([, part, licence]) => `contains ${part} under ${licence}. Make it a dependency of the package`);
}
