import { readFileSync } from 'node:fs';
import MiniSearch from 'minisearch';

/** Sections in one answer, and characters of each. */
const maximumSections = 5;
const maximumCharacters = 4000;
/** Words of a question that say nothing about its subject. */
const ignored = /^(?:an?|and|are|can|do|does|for|how|i|in|is|it|of|on|the|to|what|when|with)$/i;

let index: MiniSearch | undefined;

/** The sections of the site that fit the words best. The pages come with the package, so this needs no network. */
export function searchDocs(query: string): string {
  index ??= indexPages(readFileSync(new URL('../dist/docs.md', import.meta.url), 'utf8'));
  const found = index.search(query).slice(0, maximumSections);
  const shown = found.map(({ id, text }) => `${id}\n\n${text.slice(0, maximumCharacters)}`);
  return shown.join('\n---\n\n') || 'Nothing fits these words. Use fewer, or others, such as "retry".';
}

/** Each page begins with its address in a comment; its sections begin with headings. */
function indexPages(markdown: string): MiniSearch {
  const sections = new MiniSearch({
    fields: ['id', 'text'],
    storeFields: ['text'],
    // "Cloning" is found by "clone", and "voices" by "voice".
    processTerm: (term) =>
      !ignored.test(term) && term.toLowerCase().replace(/(?<=...)(?:ing|ed|es|e|s)$/, ''),
    searchOptions: { boost: { id: 3 }, prefix: (term) => term.length > 3, fuzzy: 0.15 },
  });
  for (const page of markdown.split(/^<!-- (?=\/)/m).slice(1)) {
    const [head = '', address = '', title = ''] = /^(\S+) -->\s+# (.+)/.exec(page) ?? [];
    page
      .slice(head.length)
      .split(/^(?=##+ )/m)
      .forEach((text, number) => {
        const [, heading = title] = /^##+ (.+)/.exec(text) ?? [];
        sections.add({ id: `${address}: ${title}, ${heading} (${number})`, text });
      });
  }
  return sections;
}
