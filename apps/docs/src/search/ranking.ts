import words from './words.json' with { type: 'json' };

/** Ranking for Pagefind: a whole word that matches counts far more than a prefix. */
export const ranking = {
  pageLength: 0,
  termFrequency: 0.3,
  termSaturation: 1.5,
  termSimilarity: 12,
  metaWeights: { title: 1, words: 8 },
};

/** The words of a page, from 0 to 10: symbols are found by their names, and answer few questions. */
export function weightOf(path: string): string {
  if (/^\/(typescript|changelog|support)\//.test(path)) return '0.2';
  if (/^\/(unknowns|project|reference\/schemas)\//.test(path)) return '0.5';
  return '1';
}

/** Other words that readers type when they look for this page. They are searched and never shown. */
export function wordsOf(path: string): string | undefined {
  return new Map(Object.entries(words)).get(path);
}
