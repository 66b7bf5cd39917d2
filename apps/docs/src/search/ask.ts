/** What Pagefind answers: the pages that were found, best first. */
export interface Answer {
  readonly results: readonly { readonly id: string; readonly score: number }[];
}

export interface Index {
  search(question: string | null, options?: object): Promise<Answer>;
}

/**
 * Answers a question where Pagefind alone finds only pages with every word of it: a page counts by the words that it
 * has, and rare ones count more.
 */
export async function ask(index: Index, question: string | null, options?: object): Promise<Answer> {
  const whole = await index.search(question, options);
  const words = question?.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu) ?? [];
  if (words.length < 2) return whole;
  const scores = new Map<string, number>();
  const pages = new Map<string, Answer['results'][number]>();
  for (const word of words.slice(0, 12)) {
    const { results } = await index.search(word, options);
    const rarity = Math.log(1 + 200 / (1 + results.length));
    for (const page of results) {
      const share = page.score / (results[0]?.score || 1);
      scores.set(page.id, (scores.get(page.id) ?? 0) + rarity * share);
      pages.set(page.id, page);
    }
  }
  const ranked = [...scores].sort(([, left], [, right]) => right - left);
  return { ...whole, results: ranked.flatMap(([id]) => pages.get(id) ?? []) };
}
