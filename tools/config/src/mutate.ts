// Shows what the tests of a package prove: breaks its source in N places, one at a time, and counts how often a test notices.
// `npm run mutate -- FOLDER [--count N] [--seed S]`: the same seed draws the same places in the same source.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

interface Place {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly original: string;
  /** Which place of this kind in the line, counted from 0. */
  readonly nth: number;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});
const folder = resolve(positionals[0] ?? '.');
let packageFolder = folder;
while (!existsSync(join(packageFolder, 'package.json'))) packageFolder = dirname(packageFolder);

const swapped = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '>='],
  [ts.SyntaxKind.LessThanEqualsToken, '>'],
  [ts.SyntaxKind.GreaterThanToken, '<='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '<'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
]);

/** Kind and replacement text of the change at a node, and the node that it replaces. */
function changeAt(node: ts.Node, file: ts.SourceFile): [string, string, ts.Node] | undefined {
  if (ts.isBinaryExpression(node)) {
    const operator = swapped.get(node.operatorToken.kind);
    if (operator !== undefined) return ['swap an operator', operator, node.operatorToken];
  }
  if (ts.isIfStatement(node) || ts.isWhileStatement(node))
    return ['negate a condition', `!(${node.expression.getText(file)})`, node.expression];
  if (ts.isConditionalExpression(node))
    return ['negate a condition', `!(${node.condition.getText(file)})`, node.condition];
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) return ['remove a statement', ';', node];
  if (ts.isNumericLiteral(node)) return ['change a number', `(${node.getText(file)} + 1)`, node];
  const isPlainText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
  if (isPlainText && node.text !== '' && !ts.isPropertyAssignment(node.parent))
    return ['empty a string', "''", node];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return ['turn true and false', 'false', node];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return ['turn true and false', 'true', node];
  return undefined;
}

function placesIn(path: string): Place[] {
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const places: Place[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const change = changeAt(node, file);
    if (change !== undefined) {
      const [kind, replacement, target] = change;
      const start = target.getStart(file);
      const line = file.getLineAndCharacterOfPosition(start).line + 1;
      const nth = places.filter((other) => other.line === line && other.kind === kind).length;
      const original = (lines[line - 1] ?? '').trim();
      const place = { file: relative(packageFolder, path), line, kind, original, nth };
      places.push({ ...place, start, end: target.getEnd(), replacement });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return places;
}

/** A number from 0 to 1 that depends on the seed and the place alone. */
const draw = ({ file, line, kind, nth }: Place): number =>
  createHash('sha1').update(`${values.seed} ${file} ${line} ${kind} ${nth}`).digest().readUInt32BE() /
  2 ** 32;

/** `undefined` when the tests pass, otherwise the reason they do not. */
async function runTests(limitMs: number): Promise<string | undefined> {
  const command = [
    'vitest',
    'run',
    '--bail=1',
    '--testTimeout=20000',
    '--hookTimeout=20000',
    '--expect.poll.timeout=10000',
  ];
  const child = spawn('npx', command, { cwd: packageFolder, stdio: 'ignore', detached: true });
  const end = (): boolean => process.kill(-(child.pid ?? 0), 'SIGKILL');
  process.once('exit', end);
  let reason = 'killed';
  const timer = setTimeout(() => {
    reason = 'killed by the time limit';
    end();
  }, limitMs);
  const code = await new Promise((done) => child.once('close', done));
  clearTimeout(timer);
  process.off('exit', end);
  return code === 0 ? undefined : reason;
}

async function outcomeOf(place: Place, limitMs: number): Promise<string> {
  const path = join(packageFolder, place.file);
  const source = readFileSync(path, 'utf8');
  const restore = (): void => writeFileSync(path, source);
  process.once('exit', restore);
  try {
    writeFileSync(path, source.slice(0, place.start) + place.replacement + source.slice(place.end));
    return (await runTests(limitMs)) ?? 'survived';
  } finally {
    restore();
    process.off('exit', restore);
  }
}

const notSource =
  /node_modules|dist\/|\.d\.ts$|\.test(-d)?\.ts$|(^|\/)(test|testing|generated)\/|\.config\.ts$/;
const files = globSync('**/*.ts', { cwd: folder }).filter((path) => !notSource.test(path));
const places = files
  .flatMap((path) => placesIn(join(folder, path)))
  .sort((first, second) => draw(first) - draw(second));

process.on('SIGINT', () => process.exit(130)).on('SIGTERM', () => process.exit(143));
const started = performance.now();
if ((await runTests(600_000)) !== undefined)
  throw new Error(`The tests of ${packageFolder} fail without a change`);
const limitMs = Math.max(60_000, 5 * (performance.now() - started));
const outcomes: string[] = [];
for (const place of places.slice(0, Number(values.count))) {
  const outcome = await outcomeOf(place, limitMs);
  outcomes.push(outcome);
  process.stdout.write(`${outcome}  ${place.file}:${place.line}  ${place.kind}: ${place.original}\n`);
}
const killed = outcomes.filter((outcome) => outcome !== 'survived').length;
process.stdout.write(`${killed} of ${outcomes.length} were noticed in ${packageFolder}\n`);
