import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkArchive, checkBill } from './check-archive.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const manifest = {
  name: '@speech-api/client',
  version: '1.0.0',
  license: 'MIT',
  engines: { node: '>=24' },
  files: ['dist'],
  exports: {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './audio/*': './dist/audio/*',
    './package.json': './package.json',
  },
  bin: { speech: './dist/speech.js' } as object,
  dependencies: { '@speech-api/types': '^1.0.0' } as Record<string, string>,
};
const notice = (licence: string, text = '    Copyright') =>
  `# Third-party software\n\n## part 1.0.0\n\n${licence}, git://part\n\n${text}\n`;
const files: Record<string, string> = Object.fromEntries(
  [
    ...['LICENSE', 'package.json', 'dist/index.d.ts', 'dist/index.js', 'dist/speech.js'],
    ...['dist/audio/a.wav', 'dist/THIRD-PARTY-NOTICES.md'],
  ].map((path) => [path, path.includes('NOTICES') ? notice('MIT') : '']),
);

function problemsOf(packed: object, contents = files): string[] {
  const place = (base: string, path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(folder, base, path)), { recursive: true });
    writeFileSync(join(folder, base, path), text);
  };
  for (const [path, text] of Object.entries(contents)) place('unpacked', path, text);
  place('source', 'dist/THIRD-PARTY-NOTICES.md', notice('MIT'));
  const paths = { source: 'source', archive: 'package.tgz', unpacked: 'unpacked' };
  const absolute = Object.entries(paths).map(([name, path]) => [name, join(folder, path)]);
  return checkArchive({ ...Object.fromEntries(absolute), manifest: { ...manifest, ...packed } });
}

const without = (path: string) => Object.fromEntries(Object.entries(files).filter(([name]) => name !== path));

test('a package that is complete is published', () => {
  expect(problemsOf({})).toEqual([]);
});

test.each([
  [
    'a range of this repository',
    { dependencies: { ws: 'catalog:published' } },
    files,
    'ws catalog:published',
  ],
  ['a missing entry', {}, without('dist/index.js'), './dist/index.js'],
  ['a missing command', {}, without('dist/speech.js'), './dist/speech.js'],
  ['a pattern without files', {}, without('dist/audio/a.wav'), './dist/audio/*'],
  ['a missing licence', {}, without('LICENSE'), 'LICENSE'],
  ['notices that are left out', {}, without('dist/THIRD-PARTY-NOTICES.md'), 'leaves out dist/THIRD'],
  [
    'a part under a licence that may not be bundled',
    {},
    { ...files, 'dist/THIRD-PARTY-NOTICES.md': notice('GPL-3.0') },
    'part 1.0.0 under GPL-3.0',
  ],
  [
    'a link that is dead once it is installed',
    {},
    { ...files, 'README.md': '[here](LICENSE) [site](https://a.example/) [there](../live/README.md#use)' },
    'links README.md to ../live/README.md',
  ],
])('a package with %s is refused by its name', (_, change, contents, words) => {
  expect(problemsOf(change, contents)).toEqual([expect.stringContaining(words)]);
});

test('a package that installs one under the GPL is refused by its name', () => {
  const components = [
    ...['MIT', 'LGPL-3.0-or-later', 'GPL-3.0-only'].map((id) => ({
      name: id,
      licenses: [{ license: { id } }],
    })),
    { name: 'either', licenses: [{ expression: '(MIT OR GPL-2.0)' }] },
    { name: 'unnamed' },
  ];
  expect(checkBill('ours', { components })).toEqual([
    expect.stringContaining('ours installs GPL-3.0-only under GPL-3.0-only'),
  ]);
  expect(checkBill('@speech-api/engine-espeak', { components })).toEqual([]);
});
