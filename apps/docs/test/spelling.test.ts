import { readFileSync } from 'node:fs';
import dictionary from 'dictionary-en-gb';
import nspell from 'nspell';
import { expect, test } from 'vitest';
import { textPath } from '../src/texts/page-text.ts';
import { readFile, readPages } from './testing/built-site.ts';

/** Words of this field, names, and what the interface itself calls things; one a line. */
const own = readFileSync(new URL('words.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

test('is spelt in British English, on every page', () => {
  const spelling = nspell({ aff: Buffer.from(dictionary.aff), dic: Buffer.from(dictionary.dic) });
  for (const word of own) spelling.add(word).add(word.charAt(0).toUpperCase() + word.slice(1));
  const unknown = new Map<string, string>();
  for (const { path } of readPages().filter(({ html }) => html.includes('data-pagefind-body'))) {
    for (const word of wordsOf(readFile(textPath(path)))) {
      if (!unknown.has(word) && !spelling.correct(word)) unknown.set(word, path);
    }
  }
  expect([...unknown].map(([word, path]) => `${word} (${path})`).sort()).toEqual([]);
});

/** The words of a text that are language: no code, no addresses, no names with capitals inside. */
function wordsOf(markdown: string): Set<string> {
  const prose = markdown
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/`[^`\n]*`/g, ' ')
    .replaceAll(/\]\([^)]*\)/g, '] ')
    .replaceAll(/<[^>]*>|https?:\S+|\S*[@/_\\]\S*|&\w+;/g, ' ');
  const words = prose.match(/[A-Za-z][A-Za-z’']*[A-Za-z]/g) ?? [];
  return new Set(
    words
      .map((word) => word.replaceAll('’', "'").replace(/'s$/, ''))
      .filter((word) => word.length > 2 && !/.[A-Z]/.test(word)),
  );
}
