import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Text of a comment, in Markdown; links to other symbols are `symbol:Name`. */
export interface Comment {
  readonly text: string;
  readonly defaultValue: string;
  /** Parameters by their names, what is returned and what is thrown. */
  readonly lines: readonly { readonly label: string; readonly text: string }[];
  readonly examples: readonly string[];
}

/** A property or a method of a class or an interface. */
export interface ApiMember {
  readonly name: string;
  readonly anchor: string;
  /** Its declaration, as TypeScript. */
  readonly code: string;
  readonly comment: Comment;
}

export type ApiKind = 'function' | 'class' | 'interface' | 'type' | 'constant';

export interface ApiSymbol {
  readonly name: string;
  readonly slug: string;
  readonly kind: ApiKind;
  readonly code: string;
  readonly comment: Comment;
  readonly members: readonly ApiMember[];
  /** Names of exported symbols that its declaration mentions. */
  readonly mentions: readonly string[];
}

/** A module that can be imported, such as `@speech-api/client/node`. */
export interface ApiModule {
  readonly specifier: string;
  readonly slug: string;
  readonly package: string;
  readonly description: string;
  readonly symbols: readonly ApiSymbol[];
  /** Symbols that another module has as well, described there. */
  readonly elsewhere: readonly { readonly name: string; readonly slug: string; readonly module: string }[];
}

interface Manifest {
  readonly name: string;
  readonly description?: string;
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>;
}

interface EntryPoint {
  readonly specifier: string;
  readonly slug: string;
  readonly file: string;
  readonly manifest: Manifest;
}

/** A generated declaration can be thousands of lines long; nobody reads more than this on a page. */
const mostLines = 120;

/**
 * Reads what packages export, from their built declarations: they are what a user's compiler sees, comments included.
 *
 * @param packages names of built packages, those that most readers import first: a symbol is described where it first comes
 */
export function readModules(packages: readonly string[]): readonly ApiModule[] {
  const entryPoints = packages.flatMap(readEntryPoints);
  const program = ts.createProgram(
    entryPoints.map(({ file }) => file),
    {
      module: ts.ModuleKind.Preserve,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      noLib: true,
      types: [],
    },
  );
  const checker = program.getTypeChecker();
  const known = new Map<ts.Symbol, { slug: string; module: string }>();
  const modules = entryPoints.map((entryPoint) => {
    const source = program.getSourceFile(entryPoint.file);
    const symbol = source && checker.getSymbolAtLocation(source);
    if (symbol === undefined) throw new Error(`${entryPoint.file} exports nothing: is the package built?`);
    const elsewhere: ApiModule['elsewhere'][number][] = [];
    const symbols: ApiSymbol[] = [];
    const exports = checker.getExportsOfModule(symbol);
    for (const exported of exports) {
      const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const before = known.get(target);
      if (before !== undefined) {
        elsewhere.push({ name: exported.name, ...before });
        continue;
      }
      const read = readSymbol(exported.name, target.declarations ?? []);
      if (read === undefined) continue;
      // `ConnectLive` beside `connectLive`: addresses have no capitals, and each has a page.
      const hasTwin = exports.some(({ name }) => name !== read.name && slugOf(name) === read.slug);
      const described =
        hasTwin && /^[A-Z]/.test(read.name) ? { ...read, slug: `${read.slug}-${read.kind}` } : read;
      known.set(target, { slug: described.slug, module: entryPoint.slug });
      symbols.push(described);
    }
    symbols.sort((left, right) => left.name.localeCompare(right.name, 'en'));
    const { manifest, specifier, slug } = entryPoint;
    return {
      specifier,
      slug,
      package: manifest.name,
      description: manifest.description ?? '',
      symbols,
      elsewhere,
    };
  });
  return withMentions(modules);
}

function readEntryPoints(name: string): EntryPoint[] {
  const file = fileURLToPath(import.meta.resolve(`${name}/package.json`));
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(manifest.exports).flatMap(([path, target]) => {
    if (typeof target === 'string' || target.types === undefined) return [];
    const specifier = `${name}${path.slice(1)}`;
    const slug = specifier.replace(/^@[^/]+\//, '').replaceAll('/', '-');
    return [{ specifier, slug, file: fileURLToPath(new URL(target.types, `file://${file}`)), manifest }];
  });
}

function readSymbol(name: string, declarations: readonly ts.Declaration[]): ApiSymbol | undefined {
  const kinds = declarations.map((declaration) => ({ declaration, kind: kindOf(declaration) }));
  const [first] = kinds;
  if (first?.kind === undefined) return undefined;
  // A constant and a type of the same name (the values of an enumeration and their type) are one thing.
  const shown = kinds.filter(({ kind }) => kind !== undefined).map(({ declaration }) => declaration);
  const membered = shown.find((node) => ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node));
  const members = membered && isShort(membered) ? readMembers(membered) : [];
  return {
    name,
    slug: slugOf(name),
    kind: first.kind,
    code: shown
      .map((node) => shorten(membered === node && members.length > 0 ? headOf(node) : codeOf(node)))
      .join('\n'),
    comment: readComment(commented(first.declaration)),
    members,
    mentions: shown.flatMap(identifiersIn),
  };
}

function slugOf(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]|(?<!^)[A-Z](?=[a-z])/g, (letter) => `-${letter}`).toLowerCase();
}

function kindOf(node: ts.Declaration): ApiKind | undefined {
  if (ts.isFunctionDeclaration(node)) return 'function';
  if (ts.isClassDeclaration(node)) return 'class';
  if (ts.isInterfaceDeclaration(node)) return 'interface';
  if (ts.isTypeAliasDeclaration(node)) return 'type';
  return ts.isVariableDeclaration(node) ? 'constant' : undefined;
}

/** The node that carries the comment of a declaration: for a constant, its statement. */
function commented(node: ts.Declaration): ts.Node {
  return ts.isVariableDeclaration(node) ? node.parent.parent : node;
}

function codeOf(node: ts.Declaration): string {
  return clean(commented(node).getText());
}

/** A class or an interface without its body: its members follow one by one. */
function headOf(node: ts.Declaration): string {
  return (clean(node.getText()).split(/\{\s*(?:\n|\})/)[0] ?? '').trim();
}

function clean(code: string): string {
  return code
    .replace(/^export /, '')
    .replace(/^declare /, '')
    .replaceAll(/^ {4}/gm, '  ')
    .trim();
}

function shorten(code: string): string {
  const lines = code.split('\n');
  return lines.length <= mostLines
    ? code
    : `${lines.slice(0, mostLines).join('\n')}\n// ${lines.length - mostLines} more lines`;
}

function isShort(node: ts.Node): boolean {
  return node.getText().split('\n').length < 1000;
}

function readMembers(node: ts.Node): ApiMember[] {
  if (!ts.isClassDeclaration(node) && !ts.isInterfaceDeclaration(node)) return [];
  const names = new Map<string, number>();
  return [...node.members].flatMap((member) => {
    if (ts.canHaveModifiers(member) && isHidden(member)) return [];
    const name = ts.isConstructorDeclaration(member) ? 'constructor' : (member.name?.getText() ?? '(call)');
    if (name.startsWith('#')) return [];
    const turn = (names.get(name) ?? 0) + 1;
    names.set(name, turn);
    const plain = name.replaceAll(/[^A-Za-z0-9_]+/g, '-').replaceAll(/^-|-$/g, '');
    const anchor = `member-${plain}${turn === 1 ? '' : `-${turn}`}`;
    return [{ name, anchor, code: dedent(member.getText()), comment: readComment(member) }];
  });
}

function isHidden(member: ts.HasModifiers): boolean {
  const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword];
  return ts.getModifiers(member)?.some(({ kind }) => hidden.includes(kind)) ?? false;
}

/** The further lines of a member are indented more than its first, by the depth of its body. */
function dedent(code: string): string {
  return code.replaceAll(/^ {4}/gm, '').replaceAll(/^ {4}/gm, '  ').trim();
}

function identifiersIn(node: ts.Node): string[] {
  const names = new Set<string>();
  const visit = (child: ts.Node): void => {
    if (ts.isIdentifier(child)) names.add(child.text);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return [...names];
}

/** Of the names that a declaration has, those that are exported somewhere, without its own. */
function withMentions(modules: readonly ApiModule[]): readonly ApiModule[] {
  const names = new Set(modules.flatMap(({ symbols }) => symbols.map(({ name }) => name)));
  return modules.map((module) => ({
    ...module,
    symbols: module.symbols.map((symbol) => ({
      ...symbol,
      mentions: symbol.mentions.filter((name) => names.has(name) && name !== symbol.name),
    })),
  }));
}

function readComment(declaration: ts.Node): Comment {
  const blocks = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc);
  const block = blocks.at(-1);
  const tags = block?.tags ?? [];
  const all = (...names: string[]): string[] =>
    tags.filter(({ tagName }) => names.includes(tagName.text)).map(({ comment }) => textOf(comment));
  const parameters = tags.flatMap((tag) =>
    ts.isJSDocParameterTag(tag)
      ? [{ label: `\`${tag.name.getText()}\``, text: textOf(tag.comment).replace(/^- /, '') }]
      : [],
  );
  const remarks = all('remarks');
  return {
    text: [textOf(block?.comment), ...remarks].join('\n\n').trim(),
    defaultValue: all('defaultValue', 'default').join(' ').replaceAll('`', ''),
    lines: [
      ...parameters,
      ...all('returns', 'return').map((text) => ({ label: 'Returns', text })),
      ...all('throws').map((text) => ({ label: 'Throws', text })),
    ],
    examples: all('example').map(exampleCode),
  };
}

/** The words of a comment; a link is a Markdown link to `symbol:Name`, or to the address it names. */
function textOf(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  if (comment === undefined) return '';
  if (typeof comment === 'string') return comment;
  return comment
    .map((part) => {
      if (part.kind === ts.SyntaxKind.JSDocText) return part.text;
      const target = `${part.name?.getText() ?? ''}${part.text.startsWith('://') ? part.text.split(/[\s|]/)[0] : ''}`;
      const label = part.text.replace(/^:\/\/\S*/, '').replace(/^\s*\|?\s*/, '');
      if (target.includes('://')) return `[${label || target}](${target})`;
      return `[\`${label || target}\`](symbol:${target})`;
    })
    .join('');
}

/** The code of an example, without the fence around it. */
function exampleCode(example: string): string {
  return example
    .replace(/^[\s\S]*?```\w*[^\n]*\n/, '')
    .replace(/\n```[\s\S]*$/, '')
    .trim();
}
