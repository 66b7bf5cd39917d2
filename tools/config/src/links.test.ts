import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// READMEs, comments and messages name only packages, entries, files and headings that exist.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const find = (patterns: readonly string[]): string[] =>
  globSync([...patterns], { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', '**/out/**'] }).sort();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const documents = find(['*.md', 'decisions/*.md', '{spec,packages/*,apps/*,tools/*}/*.md']);
const sources = find([
  '{packages,apps}/*/src/**/*.{ts,astro,mdx}',
  'tools/recipes/recipes/*.ts',
  'spec/{samples,schemas,paths}/**',
]).filter((path) => /\.\w+$/.test(path) && !path.includes('.test'));

/** The entries of each workspace, by its name. */
const entries = new Map(
  find(['{spec,packages/*,apps/*,tools/*,apps/sandbox/engines/*}/package.json']).map((path) => {
    const { name, exports = {} } = JSON.parse(read(path)) as {
      name: string;
      exports?: Record<string, unknown>;
    };
    return [name, Object.keys(exports)] as const;
  }),
);

test('every package and entry that a text names exists', () => {
  const unknown = [...documents, ...sources].flatMap((path) =>
    // The key of a symbol is not a package.
    [
      ...read(path).matchAll(
        /(?<!Symbol\.for\('|Symbol\.for\(`)(@speech-api\/[a-z][a-z0-9-]*)((?:\/[\w.-]*\w)?)/g,
      ),
    ]
      .filter(([, name = '', entry = '']) => {
        const known = entries.get(name);
        return known === undefined || (entry !== '' && !leads(known, `.${entry}`));
      })
      .map(([found]) => `${path}: ${found}`),
  );
  expect(sources.length).toBeGreaterThan(200);
  expect(unknown).toEqual([]);
});

function leads(known: readonly string[], entry: string): boolean {
  // Without `exports` every file is an entry.
  if (known.length === 0) return true;
  return known.some(
    (one) => one === entry || (one.includes('*') && entry.startsWith(one.split('*')[0] ?? '')),
  );
}

test('every relative link of a README leads to a file, and to a heading where it names one', () => {
  const dead = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)]
      .filter(([, target = '', heading]) => {
        const file = target === '' ? path : join(dirname(path), target);
        if (!existsSync(join(root, file))) return true;
        return heading !== undefined && file.endsWith('.md') && !headingsOf(file).includes(heading);
      })
      .map(([link]) => `${path}: ${link}`),
  );
  expect(dead).toEqual([]);
});

/** The anchors of a document, as GitHub makes them. */
function headingsOf(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
