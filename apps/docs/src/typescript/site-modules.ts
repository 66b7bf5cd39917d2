import { withBase } from '../navigation/with-base.ts';
import { packages } from './packages.ts';
import { type ApiKind, type ApiModule, type ApiSymbol, readModules } from './read-modules.ts';

/** Read once a build. */
const modules = readModules(packages);

/** A published package with the modules that can be imported of it. */
export interface ApiPackage {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly modules: readonly ApiModule[];
}

/** The packages in the order they are listed, each with its modules that export something. */
export const apiPackages: readonly ApiPackage[] = [...new Set(modules.map((module) => module.package))].map(
  (name) => {
    const own = modules.filter((module) => module.package === name);
    return {
      name,
      slug: shortOf(name),
      description: own[0]?.description ?? '',
      modules: own.filter(({ symbols, elsewhere }) => symbols.length + elsewhere.length > 0),
    };
  },
);

export const kindTitles: Readonly<Record<ApiKind, string>> = {
  function: 'Functions',
  class: 'Classes',
  interface: 'Interfaces',
  type: 'Types',
  constant: 'Constants',
};

const addresses = new Map<string, string>();
for (const module of modules) {
  // If two modules export different things under one name, the first in the list of packages wins.
  for (const symbol of module.symbols) {
    if (!addresses.has(symbol.name)) addresses.set(symbol.name, symbolAddress(module, symbol));
  }
}

/** The name of a package or a module without its scope. */
export function shortOf(name: string): string {
  return name.replace(/^@[^/]+\//, '');
}

export function packageAddress(name: string): string {
  return withBase(`/typescript/${shortOf(name)}/`);
}

/** The place of a symbol on the page of its package: modules of a package may export things of one name. */
export function symbolAnchor(module: Pick<ApiModule, 'slug' | 'package'>, slug: string): string {
  const entry = module.slug.slice(shortOf(module.package).length + 1);
  return entry === '' ? slug : `${entry}-${slug}`;
}

export function symbolAddress(module: ApiModule, symbol: ApiSymbol): string {
  return `${packageAddress(module.package)}#${symbolAnchor(module, symbol.slug)}`;
}

export function memberAnchor(module: ApiModule, symbol: ApiSymbol, anchor: string): string {
  return `${symbolAnchor(module, symbol.slug)}-${anchor}`;
}

/** The address of an exported symbol by its name, or by `Class.member`. */
export function addressOf(name: string, module?: ApiModule): string | undefined {
  const [symbolName = '', member] = name.split('.');
  const own = module?.symbols.find((candidate) => candidate.name === symbolName);
  const address = own && module ? symbolAddress(module, own) : addresses.get(symbolName);
  return address === undefined || member === undefined ? address : `${address}-member-${member}`;
}

/** A comment with its links to symbols led to their places; a name that has none is code. */
export function linked(text: string, module: ApiModule): string {
  return text.replaceAll(/\[([^\]]+)\]\(symbol:([^)]+)\)/g, (_, label: string, name: string) => {
    const address = addressOf(name, module);
    return address === undefined ? label : `[${label}](${address})`;
  });
}

export function summaryOf({ comment }: Pick<ApiSymbol, 'comment'>): string {
  const text = comment.text.replaceAll(/\[([^\]]+)\]\(symbol:[^)]+\)/g, '$1').replaceAll('\n', ' ');
  return /^.*?[.:;](?= [A-Z]|$)/.exec(text.split('  ')[0] ?? '')?.[0] ?? text;
}
