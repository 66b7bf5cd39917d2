/** Stands between the search field and Pagefind, which alone answers only with pages that have every word. */
import * as index from '../pagefind/pagefind.js';

export * from '../pagefind/pagefind.js';

/** Words that are on every page. */
const fillers = /^(?:an?|and|are|can|do|does|for|from|how|i|in|is|it|my|of|on|or|the|to|what|with)$/i;

/** Asks for each word and adds up the scores that Pagefind gives its pages. */
export async function search(question, options) {
  const words = question?.split(/\s+/).filter((word) => word !== '' && !fillers.test(word)) ?? [];
  if (words.length < 2) return index.search(words[0] ?? question, options);
  const answers = await Promise.all(words.map((word) => index.search(word, options)));
  const pages = new Map();
  for (const page of answers.flatMap(({ results }) => results)) {
    const before = pages.get(page.id);
    const score = page.score + (before?.score ?? 0);
    // The excerpt shows the word that counts most.
    pages.set(page.id, { ...(before?.best > page.score ? before : { ...page, best: page.score }), score });
  }
  return { ...answers[0], results: [...pages.values()].sort((left, right) => right.score - left.score) };
}
