import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describe, readReports } from './api-reports.ts';

const reports = readReports();

test('every package that others compile against has a report', () => {
  expect(reports.length).toBeGreaterThan(11);
});

test.each(reports)(
  '$path is what the package declares; if not, run `npm run api`, read what it changed, and say in a change file what that means for users: `npx pnpm change`',
  ({ committed, built }) => {
    expect(built).toBe(committed);
  },
);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'api-report-'));
  mkdirSync(join(folder, 'dist'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The report of a package with one entry and one file that entries share. */
function reportOf(entry: string, shared: string, hash = 'BC3g7h8L'): string | undefined {
  const file = `errors-${hash}`;
  writeFileSync(join(folder, 'dist/index.d.ts'), entry.replaceAll('ERRORS', `./${file}.js`));
  writeFileSync(join(folder, `dist/${file}.d.ts`), shared);
  const exports = { '.': { types: './dist/index.d.ts' }, './package.json': './package.json' };
  const report = describe(folder, { name: '@speech-api/client', exports });
  rmSync(join(folder, `dist/${file}.d.ts`));
  return report;
}

test('a report changes with what users compile against, and with nothing else', () => {
  const entry = `import { S as Base } from 'ERRORS';
export { T as TimeoutError } from 'ERRORS';
/** Speaks. */
declare function speak(text: string): Base;
export { speak };`;
  const shared = 'declare class Base {}\nexport { Base as S, Late as T };';
  const before = reportOf(entry, shared);
  expect(before).toContain('## @speech-api/client\n\nexport TimeoutError\nexport speak\n');
  expect(before).toContain('declare function speak(text: string): Base;');
  const renamed = [entry, shared].map((text) => text.replace('S as', 'q as').replace('as S', 'as q'));
  expect(reportOf(renamed[0] ?? '', renamed[1] ?? '', 'otherOne')).toBe(before);
  expect(reportOf(entry.replace('Speaks.', 'Says it aloud.'), shared)).toBe(before);
  expect(reportOf(entry.replace('text: string', 'text: string, speed: number'), shared)).not.toBe(before);
  expect(reportOf(entry.replace('Speaks.', 'Speaks. @deprecated Use say.'), shared)).toContain(
    'deprecated speak\n',
  );
});
