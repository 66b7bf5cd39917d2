import { readFile, rename, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import type { AstroIntegration } from 'astro';

/** Puts the way questions are asked (`ask.ts`) between the search field and the index that Pagefind has written. */
export function shipSearch(): AstroIntegration {
  return {
    name: 'ship-search',
    hooks: {
      async 'astro:build:done'({ dir }) {
        const folder = new URL('pagefind/', dir);
        const index = new URL('pagefind.js', folder);
        await rename(index, new URL('pagefind-index.js', folder));
        const source = await readFile(new URL('ask.ts', import.meta.url), 'utf8');
        await writeFile(
          index,
          `import * as index from './pagefind-index.js';
export * from './pagefind-index.js';
const here = new URL('./', import.meta.url).pathname;
export const options = (changes) => index.options({ basePath: here, ...changes });
export const search = (question, options) => ask(index, question, options);
${stripTypeScriptTypes(source)}`,
        );
      },
    },
  };
}
