import type { StarlightUserConfig } from '@astrojs/starlight/types';
import { commands } from '../commands.ts';
import { referencePages } from '../reference/sidebar.ts';
import { packages } from '../typescript/packages.ts';

export interface GuideEntry {
  readonly label: string;
  readonly slug: string;
}

/** One page per task, grouped by what a reader wants to do. */
export const guideGroups: readonly { readonly label: string; readonly entries: readonly GuideEntry[] }[] = [
  {
    label: 'Speak',
    entries: [
      { label: 'Speak', slug: 'guides/speech' },
      { label: 'Choosing a model', slug: 'guides/models' },
      { label: 'Expression', slug: 'guides/expression' },
      { label: 'Voices', slug: 'guides/voices' },
      { label: 'Cloning with references', slug: 'guides/cloning' },
      { label: 'Dialogue', slug: 'guides/dialogue' },
      { label: 'Timestamps and captions', slug: 'guides/timestamps' },
    ],
  },
  {
    label: 'Play and stream',
    entries: [
      { label: 'Playing audio in a browser', slug: 'guides/browser' },
      { label: 'React', slug: 'guides/react' },
      { label: 'Live speech', slug: 'guides/live' },
      { label: 'Voice agents', slug: 'guides/agents' },
      { label: 'Telephony', slug: 'guides/telephony' },
      { label: 'Captions into a video', slug: 'guides/video' },
    ],
  },
  {
    label: 'Listen',
    entries: [
      { label: 'Transcription', slug: 'guides/transcription' },
      { label: 'Long recordings', slug: 'guides/recordings' },
    ],
  },
  {
    label: 'Develop and test',
    entries: [
      { label: 'Errors and retries', slug: 'guides/errors' },
      { label: 'The sandbox', slug: 'guides/sandbox' },
      { label: 'Testing with the mock', slug: 'guides/mock' },
      { label: 'The command line', slug: 'guides/command-line' },
      { label: 'Without the client', slug: 'guides/plain' },
      { label: 'Coming from other clients', slug: 'guides/moving' },
      { label: 'Which document for which tool', slug: 'guides/tools' },
      { label: 'Coding agents', slug: 'guides/coding-agents' },
      { label: 'The sandbox in detail', slug: 'guides/sandbox-details' },
      { label: 'How the sandbox transcribes', slug: 'guides/sandbox-recall' },
    ],
  },
  {
    label: 'Run and look after',
    entries: [
      { label: 'Production checklist', slug: 'guides/production' },
      { label: 'Many live sessions', slug: 'guides/scale' },
      { label: 'What a text will use', slug: 'guides/usage' },
      { label: 'Wallet', slug: 'guides/wallet' },
      { label: 'Tracing', slug: 'guides/tracing' },
      { label: 'In your team’s CI', slug: 'guides/ci' },
      { label: 'Contract checks', slug: 'guides/contract' },
      { label: 'For writers of servers', slug: 'guides/your-server' },
      { label: 'Upgrading', slug: 'guides/upgrading' },
    ],
  },
];

/** The same as the list of pages wants it. */
export const guides: readonly NavigationItem[] = [
  { label: 'Overview', slug: 'guides' },
  { label: 'Install', slug: 'guides/install' },
  { label: 'Running the examples', slug: 'guides/examples' },
  ...guideGroups.map(({ label, entries }) => ({ label, items: [...entries] })),
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
      ...commands.pages.map(({ slug }) => ({
        label: `speech ${slug}`,
        link: `/commands/${slug}/`,
      })),
    ],
  },
  {
    label: 'TypeScript',
    items: [
      { label: 'Overview', slug: 'typescript' },
      ...packages.flatMap(({ entries }) =>
        entries.map(({ slug }) => ({ label: slug, slug: `typescript/${slug}` })),
      ),
    ],
  },
];

/** An entry of the list of pages: a page by its `slug`, any address by its `link`, or a group of entries. */
export type NavigationItem = NonNullable<StarlightUserConfig['sidebar']>[number];

/** A part of the site with a place in the header, and with a list of pages of its own. */
export interface Section {
  readonly label: string;
  /** Address of its first page, below the base of the site. */
  readonly path: string;
  readonly items: readonly NavigationItem[];
}

/** Every part of the site, in the order of the header. */
export const sections: readonly Section[] = [
  { label: 'Guides', path: '/guides/', items: guides },
  { label: 'Playground', path: '/playground/', items: playground },
  { label: 'Reference', path: '/reference/', items: reference },
  { label: 'Project', path: '/project/', items: project },
];

/** The addresses of all listed pages, by part of the site, in reading order. */
export const pageList: readonly { readonly label: string; readonly paths: readonly string[] }[] = [
  { label: 'Start', paths: ['/'] },
  ...sections.map(({ label, items }) => ({ label, paths: items.flatMap(pathsOf) })),
];

function pathsOf(item: NavigationItem): string[] {
  if (typeof item === 'string') return [`/${item}/`];
  if ('items' in item) return item.items.flatMap(pathsOf);
  if ('slug' in item) return [`/${item.slug}/`];
  return 'link' in item ? [item.link] : [];
}
