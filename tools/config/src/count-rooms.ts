// How much there is to read: `npm run count-rooms [-- REVISION ...]`, HEAD unless given. A row per workspace: the
// TypeScript written by hand (scripts of .astro files included), tests counted apart, functions over 60 lines,
// import circles (groups of files that import each other at run time) and the words of Markdown.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const longFunction = 60;
const longFile = 400;
const columns = [
  'files',
  'lines',
  'test files',
  'test lines',
  'long files',
  'long functions',
  'circles',
  'words',
];

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

function countLongFunctions(file: ts.SourceFile): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      if (linesOf(node.getText(file)) + 1 > longFunction) count += 1;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return count;
}

/** The files that a file imports at run time, statically or not: a circle over `import()` is one, too. */
function importsOf(path: string, file: ts.SourceFile): string[] {
  const found: string[] = [];
  const add = (node: ts.Node | undefined): void => {
    if (node !== undefined && ts.isStringLiteral(node) && node.text.startsWith('.'))
      found.push(join(path, '..', node.text));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly !== true) add(node.moduleSpecifier);
    if (ts.isExportDeclaration(node) && !node.isTypeOnly) add(node.moduleSpecifier);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Groups of files that reach each other (Tarjan's strongly connected components). */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): number => {
    const own = order.size;
    order.set(path, own);
    let low = own;
    open.push(path);
    for (const next of imports.get(path) ?? []) {
      if (!imports.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    lowest.set(path, low);
    if (low === own) {
      const group = open.splice(open.indexOf(path));
      if (group.length > 1) circles.push(group);
    }
    return low;
  };
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return circles;
}

for (const revision of process.argv.length > 2 ? process.argv.slice(2) : ['HEAD']) {
  const rows = new Map<string, Record<string, number>>();
  const add = (path: string, column: string, amount = 1): void => {
    for (const name of [workspaceOf(path), 'together']) {
      const row = rows.get(name) ?? {};
      row[column] = (row[column] ?? 0) + amount;
      rows.set(name, row);
    }
  };
  const imports = new Map<string, string[]>();
  for (const path of git('ls-tree', '-r', '--name-only', revision).split('\n')) {
    if (!/\.(ts|tsx|mts|mjs|astro|md|mdx)$/.test(path)) continue;
    const text = git('show', `${revision}:${path}`);
    if (/\.mdx?$/.test(path)) add(path, 'words', text.split(/\s+/).filter((word) => /\w/.test(word)).length);
    const code = codeOf(path, text);
    if (code === undefined) continue;
    add(path, isTest(path) ? 'test files' : 'files');
    add(path, isTest(path) ? 'test lines' : 'lines', linesOf(code));
    if (linesOf(code) > longFile) add(path, 'long files');
    const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest);
    imports.set(path, importsOf(path, file));
    if (!isTest(path)) add(path, 'long functions', countLongFunctions(file));
  }
  for (const circle of circlesIn(imports)) add(circle[0] ?? '', 'circles');
  process.stdout.write(`${revision} (${git('rev-parse', '--short', revision).trim()})\n`);
  const line = (name: string, cells: readonly (string | number)[]): string =>
    `${name.padEnd(20)}${cells.map((cell) => String(cell).padStart(15)).join('')}\n`;
  process.stdout.write(line('', columns));
  const sorted = [...rows].sort(
    ([first], [second]) =>
      Number(first === 'together') - Number(second === 'together') || first.localeCompare(second),
  );
  for (const [name, row] of sorted)
    process.stdout.write(
      line(
        name,
        columns.map((column) => row[column] ?? 0),
      ),
    );
}
