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

test('the address of the repository and the scope of the packages are set in one place each', () => {
  const { repository } = JSON.parse(read('package.json')) as { repository: { url: string } };
  const address = repository.url.replace(/\.git$/, '');
  // The README has it for those who have no clone yet; a test of `run` compares it.
  expect([...documents, ...sources].filter((path) => read(path).includes(address))).toEqual(['README.md']);
  const names = [...entries.keys()].map((name) => name.split('/')[1]).join('|');
  const others = new RegExp(`(?<=['"\`\\s])@(?!speech-api/)[a-z][\\w-]*/(?:${names})(?=['"\`\\s])`, 'g');
  // Packages of others have their versions there.
  const catalog = read('pnpm-workspace.yaml');
  const found = [...documents, ...sources].flatMap((path) => read(path).match(others) ?? []);
  expect(found.filter((name) => !catalog.includes(`"${name}"`))).toEqual([]);
});

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
