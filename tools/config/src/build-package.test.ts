import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const program = fileURLToPath(new URL('build-package.ts', import.meta.url));
const compiler = fileURLToPath(new URL('../../../node_modules/typescript', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-package-'));
  for (const path of ['src', 'node_modules']) mkdirSync(join(folder, path));
  symlinkSync(compiler, join(folder, 'node_modules/typescript'), 'junction');
  const exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } };
  write('package.json', JSON.stringify({ name: 'part', type: 'module', exports }));
  const compilerOptions = { rootDir: 'src', outDir: 'dist', module: 'nodenext', declaration: true };
  write('tsconfig.build.json', JSON.stringify({ compilerOptions, include: ['src'] }));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string) => writeFileSync(join(folder, path), text);

/** Builds the package, and lists what is in its archive afterwards. */
function build(...options: readonly string[]): string[] {
  execFileSync(process.execPath, [program, ...options], { cwd: folder, stdio: 'pipe' });
  const files = globSync('dist/**', { cwd: folder, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map(({ name }) => name)
    .sort();
}

test.each([
  { options: [], before: ['index.d.ts', 'index.js', 'late.js'] },
  { options: ['--modules'], before: ['index.d.ts', 'index.js'] },
])('nothing of a removed file survives a build with options $options', ({ options, before }) => {
  write('src/late.ts', 'export const late = 1;\n');
  write('src/index.ts', "export { late } from './late.js';\n");
  expect(build(...options)).toEqual(before);
  rmSync(join(folder, 'src/late.ts'));
  write('src/index.ts', 'export const early = 1;\n');
  write('dist/THIRD-PARTY-NOTICES.md', 'of a part that is no longer bundled');
  expect(build(...options)).toEqual(['index.d.ts', 'index.js']);
});

test('a package that does not compile is not built', () => {
  write('src/index.ts', "export const early: number = 'late';\n");
  expect(() => build()).toThrow('Command failed');
});
