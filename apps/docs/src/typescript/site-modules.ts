import { modules } from 'virtual:typescript-modules';
import { withBase } from '../navigation/with-base.ts';
import type { ApiKind, ApiModule, ApiSymbol } from './read-modules.ts';

export { modules };

/** The names of the kinds, in the order they are listed. */
export const kindTitles: Readonly<Record<ApiKind, string>> = {
  function: 'Functions',
  class: 'Classes',
  interface: 'Interfaces',
  type: 'Types',
  constant: 'Constants',
};

const addresses = new Map<string, string>();
for (const module of modules) {
  // Where two modules have different things of one name, the one that others build upon comes first.
  for (const symbol of module.symbols) {
    if (!addresses.has(symbol.name)) addresses.set(symbol.name, symbolAddress(module.slug, symbol.slug));
  }
}

/** The address of a module's page. */
export function moduleAddress(module: string): string {
  return withBase(`/typescript/${module}/`);
}

/** The address of a symbol's page. */
export function symbolAddress(module: string, symbol: string): string {
  return withBase(`/typescript/${module}/${symbol}/`);
}

/** The address of an exported symbol by its name, or by `Class.member`. */
export function addressOf(name: string, module?: ApiModule): string | undefined {
  const [symbol = '', member] = name.split('.');
  const own = module?.symbols.find((candidate) => candidate.name === symbol);
  const address = own && module ? symbolAddress(module.slug, own.slug) : addresses.get(symbol);
  if (address === undefined || member === undefined) return address;
  return `${address}#member-${member}`;
}

/** A comment with its links to symbols led to their pages; a name that has no page is code. */
export function linked(text: string, module: ApiModule): string {
  return text.replaceAll(/\[([^\]]+)\]\(symbol:([^)]+)\)/g, (_, label: string, name: string) => {
    const address = addressOf(name, module);
    return address === undefined ? label : `[${label}](${address})`;
  });
}

/** The first sentence of a comment, without its links. */
export function summaryOf({ comment }: Pick<ApiSymbol, 'comment'>): string {
  const text = comment.text.replaceAll(/\[([^\]]+)\]\(symbol:[^)]+\)/g, '$1').replaceAll('\n', ' ');
  return /^.*?[.:;](?= [A-Z]|$)/.exec(text.split('  ')[0] ?? '')?.[0] ?? text;
}
