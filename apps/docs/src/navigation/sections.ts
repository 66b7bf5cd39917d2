import type { StarlightUserConfig } from '@astrojs/starlight/types';
import { guides } from './guides.ts';
import { playground } from './playground.ts';
import { project } from './project.ts';
import { reference } from './reference.ts';

/** An entry of the list of pages: a page by its `slug`, any address by its `link`, or a group of entries. */
export type NavigationItem = NonNullable<StarlightUserConfig['sidebar']>[number];

/** A part of the site with a place in the header, and with a list of pages of its own. */
export interface Section {
  readonly label: string;
  /** Address of its first page, below the base of the site. */
  readonly path: string;
  readonly items: readonly NavigationItem[];
}

/** Every part of the site, in the order of the header. Each keeps its pages in a file of its own beside this one. */
export const sections: readonly Section[] = [
  { label: 'Guides', path: '/guides/', items: guides },
  { label: 'Playground', path: '/playground/', items: playground },
  { label: 'Reference', path: '/reference/', items: reference },
  { label: 'Project', path: '/project/', items: project },
];
