import type { NavigationItem } from './sections.ts';

/** What is written with the part it is about; until then it has a line on the overview and no page. */
const coming = { badge: { text: 'coming', variant: 'default' }, link: '/guides/#coming' } as const;

/** One page a task, grouped by what a person comes for. */
export const guides: readonly NavigationItem[] = [
  { label: 'Overview', slug: 'guides' },
  {
    label: 'Speak',
    items: [{ label: 'Live speech', ...coming }],
  },
  {
    label: 'Listen',
    items: [{ label: 'Long recordings', ...coming }],
  },
  {
    label: 'Develop and test',
    items: [{ label: 'The command line', ...coming }],
  },
];
