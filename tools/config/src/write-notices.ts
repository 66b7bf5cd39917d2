import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';

/** Licences that a bundled package may have. Packages under the LGPL or GPL must stay dependencies. */
export const bundledLicences = [
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'MPL-2.0',
];

const file = 'dist/THIRD-PARTY-NOTICES.md';

/**
 * Writes the licences of all packages that a bundle contains to `dist/THIRD-PARTY-NOTICES.md`.
 *
 * @throws Error If one of them may not be in a bundle, or if there is no text of its licence.
 */
export function writeNotices({ inputs }: Metafile): void {
  const notices = Object.keys(inputs).flatMap((path) => {
    const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? [];
    return folder === undefined ? noticesOfOurs(path) : [noticeOf(folder)];
  });
  if (notices.length === 0) return;
  const head = '# Third-party software\n\nThe files of this folder contain parts of these packages.\n';
  writeFileSync(file, [head, ...[...new Set(notices)].sort()].join('\n'));
}

/** Our own packages bring the notices of what they have bundled. */
function noticesOfOurs(path: string): string[] {
  const [, folder] = /^(\.\.\/.*?)dist\//.exec(path) ?? [];
  if (folder === undefined || !existsSync(folder + file)) return [];
  const sections = readFileSync(folder + file, 'utf8').split(/^(?=## )/m);
  return sections.slice(1).map((section) => `${section.trimEnd()}\n`);
}

export function noticeOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, repository } = manifest;
  // Older packages list several licences.
  const license = manifest.license ?? manifest.licenses?.[0]?.type;
  if (!bundledLicences.includes(license)) {
    throw new Error(
      `${name} is under ${license}: it may not be inside a bundle. Make it a dependency of the package.`,
    );
  }
  const texts = globSync('*', { cwd: folder }).filter((path) =>
    /^(mit-)?licen[cs]e|^copying|^notice/i.test(path),
  );
  // Some packages only name a licence without its text.
  const ours = fileURLToPath(new URL(`../licences/${name.replace('/', '-')}.txt`, import.meta.url));
  const paths = [...texts.sort().map((path) => join(folder, path)), ...(existsSync(ours) ? [ours] : [])];
  if (paths.length === 0)
    throw new Error(`${name} comes without the text of its licence. Write it to ${ours}.`);
  const text = paths.map((path) => readFileSync(path, 'utf8').trimEnd()).join('\n\n');
  const source = typeof repository === 'string' ? repository : repository?.url;
  return `## ${name} ${version}\n\n${license}, ${source}\n\n${text.replaceAll(/^/gm, '    ')}\n`;
}
