import { defineRouteMiddleware } from '@astrojs/starlight/route-data';

/**
 * The generator calls the first page of the reference, and of each group in it, "Overview".
 * Out of their place in the sidebar (in a tab, in search results) that says nothing, so they get names.
 */
export const onRequest = defineRouteMiddleware((context) => {
  const { starlightRoute } = context.locals;
  const { data } = starlightRoute.entry;
  const inside = /\/reference\/(?:operations\/tags\/(?<tag>[^/]+)\/)?$/.exec(context.url.pathname);
  if (!inside || data.title !== 'Overview') return;
  const tag = inside.groups?.tag;
  const name = tag === undefined ? 'Reference' : capitalize(tag.replaceAll('-', ' '));
  for (const element of starlightRoute.head) {
    if (element.tag === 'title') element.content = element.content?.replace('Overview', name);
    if (element.attrs?.property === 'og:title') element.attrs.content = name;
  }
  data.title = name;
});

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
