import type { NavigationItem } from './sections.ts';

/** What is written with the part it is about; until then it has a line on the overview and no page. */
const coming = { badge: { text: 'coming', variant: 'default' }, link: '/guides/#coming' } as const;

/** A guide that is there, or the name of one that is coming. */
export type GuideEntry = { readonly label: string; readonly slug: string } | { readonly coming: string };

/** One page a task, grouped by what a person comes for. */
export const guideGroups: readonly { readonly label: string; readonly entries: readonly GuideEntry[] }[] = [
  {
    label: 'Speak',
    entries: [
      { label: 'Speak', slug: 'guides/speech' },
      { label: 'Dialogue', slug: 'guides/dialogue' },
      { label: 'Cloning with references', slug: 'guides/cloning' },
      { label: 'Timestamps and captions', slug: 'guides/timestamps' },
      { coming: 'Live speech' },
    ],
  },
  {
    label: 'Listen',
    entries: [{ label: 'Transcription', slug: 'guides/transcription' }, { coming: 'Long recordings' }],
  },
  {
    label: 'Look after',
    entries: [
      { label: 'Voices', slug: 'guides/voices' },
      { label: 'Wallet', slug: 'guides/wallet' },
      { label: 'Tracing', slug: 'guides/tracing' },
      { label: 'Errors and retries', slug: 'guides/errors' },
    ],
  },
  {
    label: 'Develop and test',
    entries: [
      { label: 'The sandbox', slug: 'guides/sandbox' },
      { label: 'Testing with the mock', slug: 'guides/mock' },
      { label: 'Contract checks in CI', slug: 'guides/contract' },
      { label: 'Upgrading', slug: 'guides/upgrading' },
      { coming: 'The command line' },
    ],
  },
];

/** The same as the list of pages wants it. */
export const guides: readonly NavigationItem[] = [
  { label: 'Overview', slug: 'guides' },
  ...guideGroups.map(({ label, entries }) => ({
    label,
    items: entries.map((entry) => ('slug' in entry ? entry : { label: entry.coming, ...coming })),
  })),
];
