import { referencePages } from '../reference/sidebar.ts';
import type { NavigationItem } from './sections.ts';

/** Pages of the reference: what the specification has, and what can go wrong. */
export const reference: readonly NavigationItem[] = [
  ...(await referencePages()),
  { label: 'Errors', link: '/errors/' },
];
