import type { NavigationItem } from './sections.ts';

/** Pages of the reference; those of the operations are added by their generator, in a group of its own. */
export const reference: readonly NavigationItem[] = [];
