import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findLastRelease } from './last-release.ts';

let folder: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'last-release-'));
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'A change');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the last release is the tag with the highest version, and no other tag counts as a release', () => {
  for (const tag of ['v0.2.0-rc.1', 'vendored', 'v2']) git('tag', tag);
  expect(findLastRelease(folder).tag).toBeUndefined();
  for (const tag of ['v0.9.0', 'v0.10.0', 'v0.11.0-rc.1', 'v0.11.0.1']) git('tag', tag);
  expect(findLastRelease(folder)).toEqual({ tag: 'v0.10.0', commit: 'v0.10.0' });
});
