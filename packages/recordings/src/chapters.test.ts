import { expect, test } from 'vitest';
import { splitChapters, writePodcastChapters } from './chapters.ts';

const titles = (text: string): string[] => splitChapters(text).map(({ title }) => title);

test('headings of Markdown begin chapters and are spoken without their marks', () => {
  const text =
    'Some words first.\n\n# One #\nIt rains.\n\n### A turn\n\nIt pours.\n\n```\n# not a title\n```\n\n## Two\n\nThe end.\n';
  expect(splitChapters(text)).toEqual([
    { title: 'Beginning', text: 'Some words first.' },
    { title: 'One', text: 'One\nIt rains.\n\nA turn\n\nIt pours.\n\n```\n# not a title\n```' },
    { title: 'Two', text: 'Two\n\nThe end.' },
  ]);
  expect(titles('#hashtag\n\n#3 is not one')).toEqual([]);
});

test('an underlined line begins a chapter, and the underline is not spoken', () => {
  const text = 'One\n===\nIt rains.\n\n  Two \n  ---\nIt pours.\n\nThree\n-\n\nThe end.';
  expect(splitChapters(text)).toEqual([
    { title: 'One', text: 'One\n\nIt rains.' },
    { title: 'Two', text: 'Two\n\nIt pours.' },
    { title: 'Three', text: 'Three\n\n\nThe end.' },
  ]);
  expect(titles('Chapter 1\n=========\n\nIt rains.\n\nChapter 2\n\nIt pours.')).toEqual([
    'Chapter 1',
    'Chapter 2',
  ]);
  expect(titles('One\n===\n\n## Two\n\nChapter 3\n\nThe end.')).toEqual(['One', 'Two']);
});

test.each([
  ['a break between paragraphs', 'He left.\n\n---\n\nShe stayed.'],
  ['a line under several lines', 'He left,\nand she stayed.\n---\nMorning.'],
  ['a second underline', '***\n---\n'],
  ['a list', '- He left.\n---\n'],
  ['a numbered list', '1. He left.\n---\n'],
  ['a quotation', '> He left.\n---\n'],
  ['an indented line', '    leave()\n---\n'],
  ['code', '```\nleave\n=====\n```\n'],
  ['a fence', '```\nleave\n```\n---\n'],
  ['settings of the file', '---\ntitle: Leaving\n---\n\nHe left.'],
  ['a table', 'he | she\n---|---\nleft | stayed'],
])('%s is not an underlined heading', (_name, text) => {
  expect(titles(text)).toEqual([]);
});

test('a plain text has chapters at lines that say so, alone between blank lines', () => {
  const text = [
    'Prologue',
    'CHAPTER I.\nDown the Rabbit-Hole',
    'Alice was tired.\nPart one of the plan was to wait.',
    'Chapter twenty-one: The Sea',
    'Chapter 3 was shorter than the others.',
    'Part 2 - Winter',
    'Chapter 4\nIs a line.\nAnd another one.',
    'Appendix B',
  ].join('\n\n');
  expect(titles(text)).toEqual([
    'Prologue',
    'CHAPTER I. Down the Rabbit-Hole',
    'Chapter twenty-one: The Sea',
    'Part 2 - Winter',
    'Appendix B',
  ]);
  expect(
    splitChapters(text)
      .map((chapter) => chapter.text)
      .join('\n\n'),
  ).toBe(text);
  expect(titles('第一章 雨\n下雨了。\n第二章\n雨停了。')).toEqual(['第一章 雨', '第二章']);
});

test('lines may end as on any system', () => {
  expect(splitChapters('# One\r\nIt rains.\r\n\r\n# Two\rIt pours.')).toEqual([
    { title: 'One', text: 'One\nIt rains.' },
    { title: 'Two', text: 'Two\nIt pours.' },
  ]);
});

test('a title is one short line', () => {
  const [chapter] = splitChapters(`# ${'😀'.repeat(150)}\u0007\n\nWords.`);
  expect([...(chapter?.title ?? '')].length).toBe(100);
  expect(chapter?.title.endsWith('…')).toBe(true);
  expect(titles('# One\u0000\u0007two')).toEqual(['One two']);
});

test('podcast players read the file of chapters', () => {
  expect(JSON.parse(writePodcastChapters([{ title: 'One', start: 0, end: 1.23456 }]))).toEqual({
    version: '1.2.0',
    chapters: [{ startTime: 0, endTime: 1.235, title: 'One' }],
  });
});
