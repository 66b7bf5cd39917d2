import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const directory = fileURLToPath(new URL('../../dist/', import.meta.url));

/** A page of the built site. */
export interface BuiltPage {
  /** Address within the site, such as `/playground/`. */
  readonly path: string;
  readonly html: string;
}

/** Every page that was built. */
export function readPages(): readonly BuiltPage[] {
  if (!existsSync(directory)) {
    throw new Error('the site is not built; run `npx turbo run build --filter=@speech-api/docs`');
  }
  return globSync('**/*.html', { cwd: directory }).map((file) => ({
    path: `/${file.replaceAll('\\', '/').replace(/(^|\/)index\.html$/, '$1')}`,
    html: readFile(file),
  }));
}

/** Whether the site has a file at this address, including a page addressed by its folder. */
export function isServed(path: string, root = directory): boolean {
  const file = decodeURI(path).replace(/^\//, '');
  return existsSync(root + (file === '' || file.endsWith('/') ? `${file}index.html` : file));
}

/** The text of a file of the site. */
export function readFile(path: string): string {
  return readFileSync(directory + path.replace(/^\//, ''), 'utf8');
}

/** The stylesheets of the site, by address. */
export function readStylesheets(): readonly { path: string; css: string }[] {
  return globSync('**/*.css', { cwd: directory }).map((file) => ({ path: `/${file}`, css: readFile(file) }));
}

/** Values of an attribute of the tags with these names, as they stand. */
export function attributes(html: string, tags: string, name: string): string[] {
  const tag = new RegExp(`<(?:${tags})\\b[^>]*?\\s${name}=("[^"]*"|'[^']*')`, 'g');
  return [...html.matchAll(tag)].map((match) => unescapeHtml((match[1] ?? '').slice(1, -1)));
}

/** Bytes of script, compressed, that a page loads before anybody touches it; modules count with all they import. */
export function scriptBytes({ html }: BuiltPage): number {
  const inline = [...html.matchAll(/<script\b(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributesOf = '']) => !/type="application\//.test(attributesOf))
    .map(([, , code = '']) => code);
  const files = new Set<string>();
  const visit = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    for (const imported of staticImports(readFile(path))) visit(posix.join(dirname(path), imported));
  };
  for (const source of attributes(html, 'script', 'src')) visit(source);
  for (const code of inline) for (const imported of staticImports(code)) visit(imported);
  return [...inline, ...[...files].map(readFile)].reduce((sum, code) => sum + gzipSync(code).length, 0);
}

/** `import(...)` is left out: it is loaded when it is needed. */
function staticImports(code: string): string[] {
  const specifier = /(?:^|[;\s}])(?:import|export)\b[^"'();]*?["']((?:\.{1,2}|)\/[^"']+\.js)["']/g;
  return [...code.matchAll(specifier)].map((match) => match[1] ?? '');
}

function unescapeHtml(text: string): string {
  return text.replaceAll('&#38;', '&').replaceAll('&amp;', '&').replaceAll('&quot;', '"');
}
