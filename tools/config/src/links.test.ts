import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// READMEs link only to files and headings that exist.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const find = (patterns: readonly string[]): string[] =>
  globSync([...patterns], { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', '**/out/**'] }).sort();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const documents = find(['*.md', 'decisions/*.md', '{spec,packages/*,apps/*,tools/*}/*.md']);
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
