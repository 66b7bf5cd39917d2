// Amount of code to read: `npm run count-rooms [-- REVISION ...]`, HEAD unless given. One row per workspace:
// the TypeScript written by hand (scripts of .astro files included), tests counted separately, and the words
// of Markdown. Biome forbids circular imports and functions over 60 lines (the exceptions are in biome.json).
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const longFile = 400;
const columns = ['files', 'lines', 'test files', 'test lines', 'long files', 'words'];

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 });

const workspaceOf = (path: string): string =>
  /^(?:packages|apps|tools)\/[^/]+|^spec/.exec(path)?.[0] ?? '(root)';
const isTest = (path: string): boolean =>
  /\.test(-d)?\.ts$|\.samples\.ts$|(^|\/)(test|tests|testing|test-[a-z]+|fresh|consumers)\/|^tools\/e2e\/|\.config\.ts$/.test(
    path,
  );

/** The TypeScript of a file; of an Astro page its frontmatter and its scripts. */
function codeOf(path: string, text: string): string | undefined {
  if (/generated/.test(path)) return undefined;
  if (/\.(ts|tsx|mts|mjs)$/.test(path)) return text;
  if (!path.endsWith('.astro')) return undefined;
  const [, frontmatter = ''] = /^---\n([\s\S]*?)^---$/m.exec(text) ?? [];
  return (
    frontmatter + [...text.matchAll(/<script[^>]*>\n([\s\S]*?)<\/script>/g)].map(([, code]) => code).join('')
  );
}

const linesOf = (text: string): number => text.split('\n').length - 1;

for (const revision of process.argv.length > 2 ? process.argv.slice(2) : ['HEAD']) {
  const rows = new Map<string, Record<string, number>>();
  const add = (path: string, column: string, amount = 1): void => {
    for (const name of [workspaceOf(path), 'together']) {
      const row = rows.get(name) ?? {};
      row[column] = (row[column] ?? 0) + amount;
      rows.set(name, row);
    }
  };
  for (const path of git('ls-tree', '-r', '--name-only', revision).split('\n')) {
    if (!/\.(ts|tsx|mts|mjs|astro|md|mdx)$/.test(path)) continue;
    const text = git('show', `${revision}:${path}`);
    if (/\.mdx?$/.test(path)) add(path, 'words', text.split(/\s+/).filter((word) => /\w/.test(word)).length);
    const code = codeOf(path, text);
    if (code === undefined) continue;
    add(path, isTest(path) ? 'test files' : 'files');
    add(path, isTest(path) ? 'test lines' : 'lines', linesOf(code));
    if (linesOf(code) > longFile) add(path, 'long files');
  }
  process.stdout.write(`${revision} (${git('rev-parse', '--short', revision).trim()})\n`);
  const line = (name: string, cells: readonly (string | number)[]): string =>
    `${name.padEnd(20)}${cells.map((cell) => String(cell).padStart(15)).join('')}\n`;
  process.stdout.write(line('', columns));
  const sorted = [...rows].sort(
    ([first], [second]) =>
      Number(first === 'together') - Number(second === 'together') || first.localeCompare(second),
  );
  for (const [name, row] of sorted) {
    const cells = columns.map((column) => row[column] ?? 0);
    process.stdout.write(line(name, cells));
  }
}
