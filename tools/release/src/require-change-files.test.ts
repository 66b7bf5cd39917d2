import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { declarations, findUnnamed } from './require-change-files.ts';

let folder: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });

function write(path: string, text = path): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function commit(): void {
  git('add', '.');
  git('commit', '-qm', 'A change');
}

const changeFile = '---\n"@speech-api/client": minor\n---\n\nWorks with @speech-api/engine-espeak.\n';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'change-files-'));
  git('init', '-q');
  for (const [path, name] of [
    ['packages/client', '@speech-api/client'],
    ['apps/sandbox', '@speech-api/sandbox'],
    ['apps/sandbox/engines/espeak', '@speech-api/engine-espeak'],
  ])
    write(`${path}/package.json`, JSON.stringify({ name }));
  commit();
  git('tag', 'base');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('names each published package that changed without a change file', () => {
  write('packages/client/src/call.ts');
  write('apps/sandbox/engines/espeak/src/main.ts');
  write('tools/run/src/main.ts');
  commit();
  expect(findUnnamed(folder, 'base')).toEqual(['@speech-api/engine-espeak', '@speech-api/client']);
  write('.changeset/a.md', changeFile);
  expect(findUnnamed(folder, 'base')).toEqual(['@speech-api/engine-espeak']);
});

test('a changed API needs a change file, which counts when a version has taken it in', () => {
  write('packages/client/src/call.ts');
  expect(findUnnamed(folder, 'base', declarations)).toEqual([]);
  write('packages/client/api.txt');
  expect(findUnnamed(folder, 'base', declarations)).toEqual(['@speech-api/client']);
  write('.changeset/a.md', changeFile);
  commit();
  expect(findUnnamed(folder, 'base', declarations)).toEqual([]);
  git('rm', '-q', '.changeset/a.md');
  commit();
  expect(findUnnamed(folder, 'base', declarations)).toEqual([]);
  git('tag', 'released');
  write('packages/client/api.txt', 'speak(text, speed)');
  expect(findUnnamed(folder, 'released', declarations)).toEqual(['@speech-api/client']);
});

test('counts a package that was added to a change file, also when a version has taken the file in', () => {
  write('.changeset/a.md', changeFile);
  commit();
  write('apps/sandbox/api.txt');
  const line = '"@speech-api/sandbox": patch\n';
  write('.changeset/a.md', changeFile.replace('---\n', `---\n${line}`));
  commit();
  git('mv', '.changeset/a.md', '.changeset/b.md');
  commit();
  expect(findUnnamed(folder, 'base', declarations)).toEqual([]);
  git('rm', '-q', '.changeset/b.md');
  commit();
  expect(findUnnamed(folder, 'base', declarations)).toEqual([]);
});

test('asks nothing for tests and for what the release writes', () => {
  for (const file of [
    'src/call.test.ts',
    'test/cut.ts',
    'src/testing/server.ts',
    'CHANGELOG.md',
    'vitest.config.ts',
  ])
    write(`packages/client/${file}`);
  expect(findUnnamed(folder, 'base')).toEqual([]);
});

test('asks nothing for parts of a package.json that are not packed', () => {
  const inside = { version: '1.0.0', scripts: { build: 'tsc' }, devDependencies: { vitest: '^5' } };
  const manifest = { name: '@speech-api/client', ...inside };
  write('packages/client/package.json', JSON.stringify(manifest));
  expect(findUnnamed(folder, 'base')).toEqual([]);
  write('packages/client/package.json', JSON.stringify({ ...manifest, dependencies: { ws: '^8' } }));
  expect(findUnnamed(folder, 'base')).toEqual(['@speech-api/client']);
});
