import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkedFiles, findPhrases, isChecked } from './wording.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('no file has a phrase that has to be read twice', () => {
  const files = globSync([...checkedFiles], { cwd: root }).filter(isChecked);
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) =>
    findPhrases(readFileSync(root + file, 'utf8')).map(
      ({ line, found, write }) => `${file}:${line}: "${found}"; write: ${write}`,
    ),
  );
  expect(found.sort()).toEqual([]);
});

test.each([
  'The limit stands in the schema.',
  'A second file is taken too.',
  'This is no number.',
  'Who reads answers: expect new fields.',
  'There is one file a request.',
  'What no schema can say is a rule.',
  'The change breaks somebody.',
])('finds the phrase in "%s"', (sentence) => {
  expect(findPhrases(sentence)).toHaveLength(1);
});

test.each([
  'There is no limit.',
  'It is no longer sent.',
  'Tags are taken out of the text.',
  'dmca_taken_down stays.',
  'Who reads this?',
])('finds none in "%s"', (sentence) => {
  expect(findPhrases(sentence)).toEqual([]);
});
