// Finds parts of a packed package that nobody could install, use or be allowed to use.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundledLicences } from '@speech-api/config/write-notices';
import type { Packed } from '@speech-api/run/packed';

/** The engine is a separate program that users install beside the rest, because of its licence. */
const licences: Readonly<Record<string, string>> = { '@speech-api/engine-espeak': 'GPL-3.0-only' };
const usualLicence = 'MIT';

const notices = 'dist/THIRD-PARTY-NOTICES.md';

/** The reasons against publishing a package. Each names the package and the remedy. */
export function checkArchive({ manifest, source, unpacked }: Packed): string[] {
  const { name } = manifest;
  const has = (path: string): boolean =>
    path.includes('*') ? globSync(path, { cwd: unpacked }).length > 0 : existsSync(join(unpacked, path));
  const licence = licences[name] ?? usualLicence;
  return [
    ...leakedRanges(manifest),
    ...[...namedFiles(manifest)]
      .filter((path) => !has(path))
      .map(
        (path) => `names ${path}, which is not in its archive. Restore or build it, or correct package.json`,
      ),
    ...(has('LICENSE') ? [] : ['has no LICENSE file. Restore LICENSE in the root; packing copies it']),
    ...(manifest.license === licence
      ? []
      : [`is under ${manifest.license ?? 'no licence'}, not ${licence}. Correct license in package.json`]),
    ...deadLinks(unpacked),
    ...(existsSync(join(source, notices)) && !has(notices)
      ? [`leaves out ${notices}. Add it to files in package.json`]
      : []),
  ].map((problem) => `${name} ${problem}.`);
}

/** The parts of a CycloneDX document that are read here. */
interface Bill {
  readonly components: readonly {
    readonly name: string;
    readonly licenses?: readonly {
      readonly license?: { readonly id?: string; readonly name?: string };
      readonly expression?: string;
    }[];
  }[];
}

/** Installed packages with a forbidden licence. A few old ones do not state theirs in package.json. */
export function checkBill(name: string, { components }: Bill): string[] {
  const allowed = licences[name] === undefined ? /^LGPL-/ : /^L?GPL-/;
  return components.flatMap(({ name: part, licenses = [] }) => {
    const named = licenses.flatMap(
      ({ license, expression }) => expression ?? license?.id ?? license?.name ?? [],
    );
    const choices = named.flatMap((expression) => expression.replaceAll(/[()]/g, '').split(' OR '));
    const isAllowed = choices.some((choice) => bundledLicences.includes(choice) || allowed.test(choice));
    return named.length === 0 || isAllowed
      ? []
      : [`${name} installs ${part} under ${named.join(', ')}. Use another package, or add the licence.`];
  });
}

/** Version ranges that are only valid in this repository. */
function leakedRanges(manifest: object): string[] {
  return ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries((manifest as Record<string, Record<string, string>>)[kind] ?? {})
      .filter(([, range]) => /^(workspace|catalog|link|file):/.test(range))
      .map(([dependency, range]) => `depends on ${dependency} ${range}. Pack it with pnpm, not with npm`),
  );
}

/** Every file or folder that `files`, `exports`, `bin`, `main` or `types` names. */
function namedFiles(manifest: object): Set<string> {
  const { files, exports, bin, main, types } = manifest as Readonly<Record<string, unknown>>;
  return new Set(stringsIn([files, exports, bin, main, types]).filter((path) => !path.startsWith('!')));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const withoutCode = (markdown: string): string => markdown.replaceAll(/^ *```[\s\S]*?^ *```|`[^`\n]*`/gm, '');

/** Links that are broken once the package is installed. */
function deadLinks(unpacked: string): string[] {
  return globSync('**/*.md', { cwd: unpacked }).flatMap((path) =>
    [
      ...withoutCode(readFileSync(join(unpacked, path), 'utf8')).matchAll(
        /\]\((?!\w+:|#|\/)([^)\s#]+)[^)]*\)/g,
      ),
    ]
      .filter(([, target = '']) => !existsSync(join(unpacked, dirname(path), target)))
      .map(
        ([, target]) =>
          `links ${path} to ${target}, which is not in its archive. Name the page of the site instead`,
      ),
  );
}
