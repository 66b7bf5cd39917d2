// How many rooms this house has: `node tools/config/src/count-rooms.ts [REVISION ...]`, HEAD unless given.
// Counts the hand-written TypeScript that is not a test, outside spec/, samples and examples.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const longFunction = 60;
const longFile = 400;

interface Source {
  readonly path: string;
  readonly text: string;
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 });

const isTypeScript = (path: string): boolean => /\.(ts|tsx|mts)$/.test(path) && !/\.d\.m?ts$/.test(path);
const isTest = (path: string): boolean =>
  /\.test(-d)?\.ts$|(^|\/)(test|tests|testing|test-[a-z]+|fresh|consumers)\/|^tools\/e2e\/|\.config\.ts$/.test(
    path,
  );
const isCounted = (path: string): boolean =>
  isTypeScript(path) && !isTest(path) && !/^spec\/|generated|(^|\/)(samples|examples)\//.test(path);

function sourcesAt(revision: string, isWanted: (path: string) => boolean): Source[] {
  const paths = git('ls-tree', '-r', '--name-only', revision).split('\n').filter(isWanted);
  return paths.map((path) => ({ path, text: git('show', `${revision}:${path}`) }));
}

const linesOf = ({ text }: Source): number => text.split('\n').length - 1;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function countLongFunctions({ path, text }: Source): number {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const first = file.getLineAndCharacterOfPosition(node.getStart(file)).line;
      const last = file.getLineAndCharacterOfPosition(node.getEnd()).line;
      if (last - first + 1 > longFunction) count += 1;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return count;
}

/** Folders that hold one file of source and nothing else: no folder below, no test, no page. */
function foldersWithOneFile(revision: string, sources: readonly Source[]): string[] {
  const all = git('ls-tree', '-r', '--name-only', revision).split('\n');
  const folders = new Set(sources.map(({ path }) => path.slice(0, path.lastIndexOf('/'))));
  return [...folders].filter((folder) => {
    const below = all.filter((path) => path.startsWith(`${folder}/`) && !isTest(path));
    return below.length === 1 && !/\/(src|build)$/.test(folder);
  });
}

for (const revision of process.argv.length > 2 ? process.argv.slice(2) : ['HEAD']) {
  const sources = sourcesAt(revision, isCounted);
  const lengths = sources.map(linesOf).sort((first, second) => first - second);
  const mutants = sourcesAt(revision, (path) => /^tools\/e2e\/mutants\//.test(path) && isTypeScript(path));
  const rules = sources.filter(({ path }) => path.startsWith('packages/contract/src/rules/'));
  const tests = sourcesAt(revision, (path) => /\.test\.ts$/.test(path));
  const { scripts } = JSON.parse(git('show', `${revision}:package.json`)) as { scripts: object };
  const rows: [string, number | string][] = [
    ['files', sources.length],
    ['lines', sum(lengths)],
    ['median lines of a file', lengths[Math.floor(lengths.length / 2)] ?? 0],
    [`files over ${longFile} lines`, lengths.filter((length) => length > longFile).length],
    ['folders with one file', foldersWithOneFile(revision, sources).length],
    [`functions over ${longFunction} lines`, sum(sources.map(countLongFunctions))],
    ['rule files', rules.length],
    ['lines of mutants', sum(mutants.map(linesOf))],
    ['scripts in the root', Object.keys(scripts).length],
    ['test files', tests.length],
    [
      'tests written',
      sum(tests.map(({ text }) => text.match(/^\s*(it|test)(\.each|\.for|\.prop)?\b.*\(/gm)?.length ?? 0)),
    ],
  ];
  process.stdout.write(`${revision} (${git('rev-parse', '--short', revision).trim()})\n`);
  for (const [name, value] of rows)
    process.stdout.write(`  ${name.padEnd(26)} ${String(value).padStart(7)}\n`);
}
