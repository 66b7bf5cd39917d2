import { defineRouteMiddleware, type StarlightRouteData } from '@astrojs/starlight/route-data';

type Entry = StarlightRouteData['sidebar'][number];
type Link = Extract<Entry, { type: 'link' }>;

/**
 * Shows only the pages of the reader's section: the others are one click away in the header.
 * The links to the previous and next page stay within the section as well.
 */
export const onRequest = defineRouteMiddleware((context) => {
  const { starlightRoute } = context.locals;
  const section = starlightRoute.sidebar.find(leadsHere);
  context.locals.section = section?.label;
  starlightRoute.sidebar = section?.type === 'group' ? section.entries : [];
  // On a phone the sections are in the menu, so every page needs one.
  starlightRoute.hasSidebar = true;
  const pages = starlightRoute.sidebar.flatMap(pagesOf);
  const here = pages.findIndex(({ isCurrent }) => isCurrent);
  const { prev, next } = starlightRoute.pagination;
  starlightRoute.pagination = { prev: prev && pages[here - 1], next: next && pages[here + 1] };
});

function leadsHere(entry: Entry): boolean {
  return entry.type === 'group' ? entry.entries.some(leadsHere) : entry.isCurrent;
}

function pagesOf(entry: Entry): Link[] {
  return entry.type === 'group' ? entry.entries.flatMap(pagesOf) : [entry];
}
