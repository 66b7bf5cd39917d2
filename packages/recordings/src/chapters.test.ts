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
