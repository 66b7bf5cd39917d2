// The API report of a package, `api.txt` beside its package.json: what its entries declare, without comments and without
// the names of its files, so that a reviewer sees what a change means for those who compile against it.
// `npm run api` writes the reports anew; with `--check` they are only compared, as a test does for all of them.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>;
}

/** A report as committed, and as built. */
export interface ApiReport {
  readonly name: string;
  readonly path: string;
  readonly committed: string | undefined;
  readonly built: string;
}

/**
 * The reports of the named packages, or of all that are published, as far as they declare types. The declarations of `types` are committed already, as the
 * sources that are generated from the specification.
 */
export function readReports(names: readonly string[] = []): ApiReport[] {
  const folders = globSync('{spec,packages/*,apps/*,apps/sandbox/engines/*}', { cwd: root })
    .map((folder) => folder.replaceAll('\\', '/'))
    .sort();
  return folders.flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
    if (manifest.private || folder === 'packages/types') return [];
    if (names.length > 0 && !names.includes(manifest.name)) return [];
    const built = describe(join(root, folder), manifest);
    const path = `${folder}/api.txt`;
    const committed = existsSync(root + path) ? readFileSync(root + path, 'utf8') : undefined;
    return built === undefined ? [] : [{ name: manifest.name, path, committed, built }];
  });
}

/** The report of a built package; undefined if it declares no types. */
export function describe(folder: string, { name, exports = {} }: Manifest): string | undefined {
  const entries = Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === 'string' || target.types === undefined ? [] : [{ entry, file: target.types }],
  );
  if (entries.length === 0) return undefined;
  const sections = entries.map(({ entry, file }) => [`## ${name}${entry.slice(1)}`, declare(folder, file)]);
  // Files that entries share have a hash in their names. A folder may hold those of an earlier build, too.
  const shared = sharedBy(entries.map(({ file }) => join(folder, file)))
    .map((file) => relative(folder, file))
    .sort()
    .map((file) => [
      `## shared: ${basename(file).replace(/-[\w-]{8}\.d\.ts$/, '')}`,
      declare(folder, file, false),
    ]);
  return `${[`# ${name}`, ...sections.flat(), ...shared.flat()].join('\n\n')}\n`;
}

/** The declaration files that entries import, directly or through another. */
function sharedBy(entries: readonly string[]): string[] {
  const files = new Set(entries);
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)\.js'/g))
      files.add(join(dirname(file), `${name}.d.ts`));
  }
  return [...files].filter((file) => !entries.includes(file));
}

const printer = ts.createPrinter({ removeComments: true });

/** The statements of a declaration file. Exported names of a shared file are only known to our own files. */
function declare(folder: string, file: string, isEntry = true): string {
  const text = readFileSync(join(folder, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const exported: string[] = [];
  const imported: string[] = [];
  const declared: string[] = [];
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier?.getText().slice(1, -1);
      const outside = from === undefined || from.startsWith('.') ? '' : ` from ${from}`;
      if (ts.isImportDeclaration(statement)) {
        if (outside !== '') imported.push(print(statement, source));
      } else if (isEntry) exported.push(...namesOf(statement, outside));
    } else declared.push(print(statement, source));
  }
  const lists = [exported, imported].map((list) => list.sort().join('\n'));
  return [...lists, declared.join('\n')].filter((part) => part !== '').join('\n\n');
}

function namesOf({ exportClause }: ts.ExportDeclaration, outside: string): string[] {
  if (exportClause === undefined) return [`export *${outside}`];
  if (ts.isNamespaceExport(exportClause)) return [`export * as ${exportClause.name.text}${outside}`];
  return exportClause.elements.map(({ name }) => `export ${name.text}${outside}`);
}

const print = (node: ts.Node, source: ts.SourceFile): string =>
  printer.printNode(ts.EmitHint.Unspecified, node, source).replaceAll('\r\n', '\n');

if (import.meta.main) {
  const options = { check: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  for (const { path, committed, built } of readReports(positionals)) {
    if (committed === built) continue;
    if (values.check) {
      process.stderr.write(
        `${path} is not what the package declares. Run npm run api and read the difference.\n`,
      );
      process.exitCode = 1;
    } else {
      writeFileSync(root + path, built);
      process.stdout.write(`${relative(process.cwd(), join(root, dirname(path)))}/api.txt\n`);
    }
  }
}
