import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noticeOf } from './write-notices.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notices-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function noticeFor(manifest: object, files: Readonly<Record<string, string>> = {}): string {
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ version: '1.0.0', license: 'MIT', ...manifest }),
  );
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return noticeOf(folder);
}

test('takes every file about the licence of a part, and refuses a part without one', () => {
  expect(() => noticeFor({ name: 'part' })).toThrow('part comes without the text of its licence');
  expect(noticeFor({ name: 'part' }, { Licence: 'one', COPYING: 'two', 'NOTICE.txt': 'three' })).toContain(
    '    two\n    \n    one\n    \n    three\n',
  );
});

test('adds what a part contains and only names', () => {
  const notice = noticeFor({ name: 'libopus-wasm' }, { LICENSE: 'of the wrapper' });
  expect(notice).toContain('    of the wrapper\n');
  expect(notice).toContain('    Copyright 2001-2011 Xiph.Org');
});

test('refuses a part whose licence asks for more than its text', () => {
  expect(() => noticeFor({ name: 'part', license: 'LGPL-2.1' })).toThrow('part is under LGPL-2.1');
});
