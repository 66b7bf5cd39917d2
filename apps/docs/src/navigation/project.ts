import type { NavigationItem } from './sections.ts';

/** What is known, promised and left out; how it is made. */
export const project: readonly NavigationItem[] = [
  { label: 'Overview', slug: 'project' },
  { label: 'What is not known', slug: 'unknowns' },
  { label: 'What is supported', link: '/support/' },
  { label: 'Limitations', slug: 'project/limitations' },
  { label: 'Comparison', link: '/comparison/' },
  { label: 'Changelog', link: '/changelog/' },
  { label: 'Architecture', slug: 'project/architecture' },
];
