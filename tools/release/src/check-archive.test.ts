import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkArchive, checkBill } from './check-archive.ts';

const complete = {
  name: '@speech-api/client',
  version: '1.0.0',
  license: 'MIT',
  files: ['dist'],
  exports: { '.': './dist/index.js', './audio/*': './dist/audio/*' },
  bin: { speech: './dist/speech.js' },
  dependencies: { '@speech-api/types': '^1.0.0' },
};
const notices = 'dist/THIRD-PARTY-NOTICES.md';
const files = ['LICENSE', 'dist/index.js', 'dist/speech.js', 'dist/audio/a.wav', notices];

/** The problems of a package whose notices are built, with the files and the README that its archive has. */
function problemsOf(change: object, missing?: string, readme = ''): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (path: string, text = '') => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const file of files) if (file !== missing) write(`unpacked/${file}`);
  write('unpacked/README.md', readme);
  write(`source/${notices}`);
  const paths = { source: join(folder, 'source'), unpacked: join(folder, 'unpacked'), archive: '' };
  return checkArchive({ ...paths, manifest: { ...complete, ...change } as never });
}

test('a package that is complete is published', () => {
  expect(problemsOf({}, undefined, '[here](LICENSE) [site](https://a.example/)')).toEqual([]);
});

test.each([
  ['a range of this repository', { dependencies: { ws: 'catalog:published' } }, '', 'ws catalog:published'],
  ['a missing entry', {}, 'dist/index.js', './dist/index.js'],
  ['a missing command', {}, 'dist/speech.js', './dist/speech.js'],
  ['a pattern without files', {}, 'dist/audio/a.wav', './dist/audio/*'],
  ['a missing licence', {}, 'LICENSE', 'has no LICENSE file'],
  ['another licence', { license: 'GPL-3.0-only' }, '', 'is under GPL-3.0-only, not MIT'],
  ['notices that are left out', {}, notices, 'leaves out dist/THIRD'],
])('a package with %s is refused by its name', (_, change, missing, words) => {
  expect(problemsOf(change, missing)).toEqual([expect.stringContaining(words)]);
});

test('a package with a link that is dead once it is installed is refused by its name', () => {
  const problem = expect.stringContaining('links README.md to ../live/README.md');
  expect(problemsOf({}, undefined, '[there](../live/README.md#use)')).toEqual([problem]);
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
