import { referencePages } from '../reference/sidebar.ts';
import { packages } from '../typescript/packages.ts';
import type { NavigationItem } from './sections.ts';

/** Pages of the reference: what the specification has, what can go wrong, and what the packages export. */
export const reference: readonly NavigationItem[] = [
  ...(await referencePages()),
  { label: 'Errors', link: '/errors/' },
  {
    label: 'TypeScript',
    items: [
      { label: 'Overview', link: '/typescript/' },
      ...packages.map((name) => ({ label: name, link: `/typescript/${name.replace(/^@[^/]+\//, '')}/` })),
    ],
  },
];
