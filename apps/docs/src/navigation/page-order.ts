import { type NavigationItem, sections } from './sections.ts';

/** The addresses of all pages that are listed, in the order they are read. */
export const pageOrder: readonly string[] = ['/', ...sections.flatMap(({ items }) => items.flatMap(pathsOf))];

function pathsOf(item: NavigationItem): string[] {
  if (typeof item === 'string') return [`/${item}/`];
  if ('items' in item) return item.items.flatMap(pathsOf);
  if ('slug' in item) return [`/${item.slug}/`];
  return 'link' in item && !item.link.includes('#') ? [item.link] : [];
}
