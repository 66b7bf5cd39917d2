import { rename, writeFile } from 'node:fs/promises';
import type { AstroIntegration } from 'astro';

/** Pagefind alone answers only with pages that have every word: this asks for each word and adds up its scores. */
const anyWord = `import * as index from './pagefind-index.js';
export * from './pagefind-index.js';
const basePath = new URL('./', import.meta.url).pathname;
export const options = (changes) => index.options({ basePath, ...changes });
export async function search(question, options) {
  const words = question?.trim().split(/\\s+/) ?? [question];
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
`;

/** Puts `anyWord` between the search field and the index that Pagefind has written. */
export function shipSearch(): AstroIntegration {
  return {
    name: 'ship-search',
    hooks: {
      async 'astro:build:done'({ dir }) {
        const folder = new URL('pagefind/', dir);
        await rename(new URL('pagefind.js', folder), new URL('pagefind-index.js', folder));
        await writeFile(new URL('pagefind.js', folder), anyWord);
      },
    },
  };
}
