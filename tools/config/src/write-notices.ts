import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** Licences of which a part may be inside a file of ours. Under the LGPL or GPL, it has to stay a dependency. */
export const bundledLicences = [
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'MPL-2.0',
];

/**
 * Writes the licences of all packages that a bundle contains to `dist/THIRD-PARTY-NOTICES.md`.
 *
 * @throws Error If one of them may not be in a bundle.
 */
export function writeNotices({ inputs }: Metafile): void {
  const folders = Object.keys(inputs).map(
    (path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0],
  );
  const notices = [...new Set(folders)].filter((folder) => folder !== undefined).map(noticeOf);
  if (notices.length === 0) return;
  const head = '# Third-party software\n\nThe files of this folder contain parts of these packages.\n';
  writeFileSync('dist/THIRD-PARTY-NOTICES.md', `${[head, ...notices.sort()].join('\n')}`);
}

function noticeOf(folder: string): string {
  const { name, version, license, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  if (!bundledLicences.includes(license)) {
    throw new Error(
      `${name} is under ${license}: it may not be inside a bundle. Make it a dependency of the package.`,
    );
  }
  const [file] = globSync('{LICENSE,LICENCE,license,COPYING}*', { cwd: folder });
  // Some packages only name their licence.
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trimEnd();
  const source = typeof repository === 'string' ? repository : repository?.url;
  return `## ${name} ${version}\n\n${license}, ${source}\n\n${text.replaceAll(/^/gm, '    ')}\n`;
}
