/**
 * Stands between the search field and Pagefind, which alone answers only with pages that have every word of a question.
 * Here a page needs one of the words, and the scores that Pagefind gives it for each of them add up.
 */
import * as index from '../pagefind/pagefind.js';

export * from '../pagefind/pagefind.js';

/** Words that are on every page. */
const fillers = /^(?:an?|and|are|at|can|do|does|for|from|how|i|in|is|it|my|of|on|or|the|to|what|with)$/i;

export async function search(question, options) {
  const words = (question ?? '').split(/\s+/).filter((word) => word !== '' && !fillers.test(word));
  if (words.length < 2) return index.search(words[0] ?? question, options);
  const answers = await Promise.all(words.map((word) => index.search(word, options)));
  const byScore = (first, second) => second.score - first.score;
  const matches = answers.flatMap(({ results }) => results).sort(byScore);
  const pages = [...Map.groupBy(matches, ({ id }) => id).values()].map((matchesOfPage) => {
    const score = matchesOfPage.reduce((sum, match) => sum + match.score, 0);
    // The excerpt shows the word that counts most.
    return { ...matchesOfPage[0], score };
  });
  return { ...answers[0], results: pages.sort(byScore) };
}
