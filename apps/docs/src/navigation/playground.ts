import type { NavigationItem } from './sections.ts';

/** The pages that call a service from the browser. */
export const playground: readonly NavigationItem[] = [
  { label: 'Speak', slug: 'playground' },
  { label: 'Dialogue', slug: 'playground/dialogue' },
  { label: 'Transcribe', slug: 'playground/transcribe' },
  { label: 'Stream lab', slug: 'playground/stream-lab' },
];
