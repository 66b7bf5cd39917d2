import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { operationTable } from '@speech-api/types';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { textPath } from '../src/texts/text-path.ts';
import { isServed, readFile, readPages } from './testing/built-site.ts';
import { compile } from './testing/compile.ts';

interface Block {
  readonly language: string;
  readonly code: string;
  readonly page: string;
}

const blocks = readBlocks();
const of = (...languages: string[]): readonly Block[] =>
  blocks.filter(({ language }) => languages.includes(language));
const places = Object.values(operationTable).map(
  ({ path }) => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
);

describe('the code on the site', () => {
  test('compiles where it is TypeScript', () => {
    // Recipes are compiled and run in their own package, which has what they import.
    const folder = fileURLToPath(new URL('../../../tools/recipes/recipes/', import.meta.url));
    const recipes = globSync('*.ts', { cwd: folder }).map((file) => readFileSync(folder + file, 'utf8'));
    const blocks = of('ts').filter(({ code, page }) => {
      const isSignature = page.startsWith('/typescript/') && !/^import /m.test(code);
      return !isSignature && !recipes.some((recipe) => recipe.endsWith(`\n${code}`));
    });
    expect(of('ts').length - blocks.length).toBeGreaterThan(15);
    const programs = new Map(blocks.map(({ page, code }, index) => [`${page} ${index}`, code]));
    expect(compile(programs)).toEqual([]);
  }, 120_000);

  test('parses where it is JSON or YAML', () => {
    const wrong = [...of('json'), ...of('yaml')].filter(({ language, code }) => {
      try {
        return language === 'json' ? JSON.parse(code) === undefined : parse(code) === undefined;
      } catch {
        return true;
      }
    });
    expect(wrong).toEqual([]);
  });

  test('starts scripts and calls paths that exist where it is a shell’s', () => {
    const manifest = fileURLToPath(new URL('../../../package.json', import.meta.url));
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(manifest, 'utf8'));
    const wrong = of('sh').flatMap(({ code, page }) => {
      const npm = [...code.matchAll(/^(?:\w+=\S+ )*npm (?:run )?(?:-\S+ )*([\w:-]+)/gm)].map(
        ([, name = '']) => name,
      );
      // A server of the reader's own, at another port, has its own paths.
      const called = [
        ...code.matchAll(/^[^#\n]*?(?:\$SPEECH_BASE_URL|http:\/\/127\.0\.0\.1:40\d\d)(\/[^\s"'?]*)/gm),
      ].map(([, path = '']) => path);
      const unknownPaths = called.filter((path) => {
        const filled = path.replaceAll(/\$\{?\w+\}?/g, 'x');
        return !path.startsWith('/__sandbox/') && !places.some((place) => place.test(filled));
      });
      return [
        ...npm.filter(
          (name) => !(name in scripts || ['install', 'pkg', 'update', 'outdated'].includes(name)),
        ),
        ...unknownPaths,
      ].map((name) => `${page}: ${name}`);
    });
    expect(wrong).toEqual([]);
  });
});

/** The blocks of all pages, each code once. */
function readBlocks(): readonly Block[] {
  const found = new Map<string, Block>();
  for (const { path } of readPages()) {
    if (!isServed(textPath(path)) || textPath(path) === path) continue;
    for (const [, indent = '', language = '', body = ''] of readFile(textPath(path)).matchAll(
      /^([ >]*)```([\w-]*)\n([\s\S]*?)^\1```$/gm,
    )) {
      const code = body
        .split('\n')
        .map((line) => line.slice(indent.length))
        .join('\n');
      found.set(`${language} ${code}`, { language, code, page: path });
    }
  }
  return [...found.values()];
}
