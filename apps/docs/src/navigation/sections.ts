import type { StarlightUserConfig } from '@astrojs/starlight/types';
import { commands } from '../commands.ts';
import { referencePages } from '../reference/sidebar.ts';
import { clientTasks, packages } from '../typescript/packages.ts';
import { guideGroups, guides } from './guides.ts';

const guideItems: readonly NavigationItem[] = [
  ...guides.filter(({ group }) => group === undefined).map(({ slug }) => ({ slug })),
  ...guideGroups.map(({ label, guides }) => ({ label, items: guides.map(({ slug }) => ({ slug })) })),
];

/** The pages that call a service from the browser. */
export const playground: readonly NavigationItem[] = [
  { label: 'Speak', slug: 'playground' },
  { label: 'Live', slug: 'playground/live' },
];

/** Pages about the project: what is known, promised and left out, and how the project is made. */
export const project: readonly NavigationItem[] = [
  { label: 'Overview', slug: 'project' },
  { label: 'What is not known', slug: 'unknowns' },
  { label: 'What is supported', link: '/support/' },
  { label: 'Limitations', slug: 'project/limitations' },
  { label: 'Changelog', link: '/changelog/' },
];

/** Pages of the reference: what the specification has, what can go wrong, and what the packages export. */
export const reference: readonly NavigationItem[] = [
  ...referencePages(),
  {
    label: 'Command line',
    items: [
      { label: 'Overview', link: '/commands/' },
      ...commands.pages.map(({ slug, command }) => ({
        label: command.name,
        link: `/commands/${slug}/`,
      })),
    ],
  },
  {
    label: 'TypeScript',
    items: [
      { label: 'Overview', slug: 'typescript' },
      ...packages.flatMap(({ entries }) =>
        entries.flatMap(({ slug }) => [
          { label: slug, slug: `typescript/${slug}` },
          ...(slug === 'client' ? clientTasks : []).map((task) => ({
            label: `client: ${task.label.toLowerCase()}`,
            slug: `typescript/${task.slug}`,
          })),
        ]),
      ),
    ],
  },
];

/** An entry of the list of pages: a page by its `slug`, any address by its `link`, or a group of entries. */
export type NavigationItem = NonNullable<StarlightUserConfig['sidebar']>[number];

/** Every part of the site in the order of the header, with the address of its first page below the base. */
export const sections = [
  { label: 'Guides', path: '/guides/', items: guideItems },
  { label: 'Playground', path: '/playground/', items: playground },
  { label: 'Reference', path: '/reference/', items: reference },
  { label: 'Project', path: '/project/', items: project },
];

/** The addresses of all listed pages, by part of the site, in reading order. */
export const pageList = [
  { label: 'Start', paths: ['/'] },
  ...sections.map(({ label, items }) => ({ label, paths: items.flatMap(pathsOf) })),
];

function pathsOf(item: NavigationItem): string[] {
  if (typeof item === 'string') return [`/${item}/`];
  if ('items' in item) return item.items.flatMap(pathsOf);
  if ('slug' in item) return [`/${item.slug}/`];
  return 'link' in item ? [item.link] : [];
}
