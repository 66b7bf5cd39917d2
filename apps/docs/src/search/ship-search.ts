import { readFile, rename, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { asObject } from '@speech-api/spec/read';
import type { AstroIntegration } from 'astro';
import { readErrorCatalogue } from '../reference/errors.ts';
import { specification } from '../reference/sidebar.ts';
import words from './words.json' with { type: 'json' };

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
        const known = [...new Set(Object.values(words).flatMap((text) => text.split(' ')))].filter(
          (word) => word.length > 3,
        );
        const statuses = specification.rules.refusals.map((refusal) => Number(asObject(refusal).status));
        const catalogue = await readErrorCatalogue([...new Set(statuses)]);
        const entries = Object.fromEntries(
          catalogue.flatMap(({ name, anchor, statuses }) =>
            [name.toLowerCase(), ...statuses.map(String)].map((word) => [word, anchor]),
          ),
        );
        await writeFile(
          index,
          `import * as index from './pagefind-index.js';
export * from './pagefind-index.js';
const known = ${JSON.stringify(known)};
const entries = ${JSON.stringify(entries)};
const here = new URL('./', import.meta.url).pathname;
export const options = (given) => index.options({ basePath: here, ...given });
export const search = (question, options) => ask(index, known, entries, question, options);
${stripTypeScriptTypes(source)}`,
        );
      },
    },
  };
}
