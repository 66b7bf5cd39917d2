import { lengthOf } from './split-text.ts';

/** A chapter of a spoken file, in seconds. */
export interface Chapter {
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

/** A chapter of a text: what is spoken, its heading included. */
export interface TextChapter {
  readonly title: string;
  readonly text: string;
}

/** An ID3 table of contents counts its chapters in one byte. */
export const maximumChapters = 255;

const markdownHeading = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
/** Under a line of text: `===` makes it a heading like `#`, `---` one like `##`. */
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** Lines that are not the text of a paragraph, so nothing below them underlines a heading. */
const notText = /^(?: {4}|\t| {0,3}(?:$|>|[-+*][ \t]|\d{1,9}[.)][ \t]|(?:[-_*][ \t]*){3,}$))/;
const fence = /^ {0,3}(?:```|~~~)/;
const units = 'one|two|three|four|five|six|seven|eight|nine';
const number = `\\d+|[ivxlc]+|(?:twenty|thirty|forty|fifty)(?:[- ](?:${units}))?|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|${units}`;
const numberedHeading = new RegExp(`^(?:chapter|part|book) (?:${number})(?:$|[.:\u2013\u2014]| -)`, 'i');
const namedHeading =
  /^(?:prologue|epilogue|preface|foreword|afterword|introduction|interlude|appendix(?: [a-z\d]+)?)[.:]?$/i;
const chineseHeading = /^第[\d一二三四五六七八九十百千零〇两]+[章回节卷部篇]/;
const longestTitle = 100;

/**
 * Cuts a text at its headings. In Markdown these are the lines that begin with `#` or `##`, and single lines underlined with
 * `===` or `---`. A text without any `#` also has them in paragraphs of one or two lines that begin with "Chapter", "Part" or
 * "Book" and a number, in a line such as "Prologue" or "Epilogue" alone, and in lines such as 第一章. What comes before the first
 * heading is a chapter named "Beginning".
 */
export function splitChapters(text: string): TextChapter[] {
  const lines = text.split(/\r\n|\n|\r/);
  const markdown = readMarkdown(lines);
  const found = markdown.hasMarks ? markdown.headings : { ...readPlain(lines), ...markdown.headings };
  const chapters: TextChapter[] = [];
  let title: string | undefined;
  let spoken: string[] = [];
  const close = (): void => {
    const chapter = spoken.join('\n').trim();
    if (chapter !== '') chapters.push({ title: title ?? 'Beginning', text: chapter });
  };
  for (const [index, line] of lines.entries()) {
    const heading = found[index];
    if (heading?.title !== undefined) {
      close();
      title = heading.title;
      spoken = [];
    }
    spoken.push(heading?.spoken ?? line);
  }
  close();
  return title === undefined ? [] : chapters;
}

/** By line: what it is spoken as, and the title where a chapter begins with it. */
type Headings = Readonly<Record<number, { readonly spoken: string; readonly title?: string }>>;

function readMarkdown(lines: readonly string[]): { readonly headings: Headings; readonly hasMarks: boolean } {
  const headings: Record<number, { spoken: string; title?: string }> = {};
  let isCode = false;
  let hasMarks = false;
  /** Number of lines above in the same paragraph. */
  let above = 0;
  // Settings at the top of a file stand between two lines that look like underlines.
  const start = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0;
  for (const [index, line] of lines.entries()) {
    if (index < start) continue;
    const isFence = fence.test(line);
    if (isFence) isCode = !isCode;
    const [, marks = '', marked = ''] = (isCode ? undefined : markdownHeading.exec(line)) ?? [];
    const isBetween = isCode || isFence || marks !== '';
    if (marked !== '') {
      const begins = marks.length <= 2;
      hasMarks ||= begins;
      headings[index] = { spoken: marked, ...(begins ? { title: shortened(marked) } : {}) };
    } else if (!isBetween && above === 1 && underline.test(line)) {
      const spoken = (lines[index - 1] ?? '').trim();
      headings[index - 1] = { spoken, title: shortened(spoken) };
      headings[index] = { spoken: '' };
      above = 0;
      continue;
    }
    above = isBetween || notText.test(line) ? 0 : above + 1;
  }
  return { headings, hasMarks };
}

function readPlain(lines: readonly string[]): Headings {
  const headings: Record<number, { spoken: string; title: string }> = {};
  const isEmpty = (index: number): boolean => (lines[index] ?? '').trim() === '';
  for (const [index, whole] of lines.entries()) {
    const line = whole.trim();
    if (lengthOf(line) > longestTitle) continue;
    if (chineseHeading.test(line)) headings[index] = { spoken: whole, title: shortened(line) };
    if (!isEmpty(index - 1)) continue;
    if (isEmpty(index + 1)) {
      if (numberedHeading.test(line) || namedHeading.test(line))
        headings[index] = { spoken: whole, title: shortened(line) };
    } else if (isEmpty(index + 2) && numberedHeading.test(line)) {
      headings[index] = { spoken: whole, title: shortened(`${line} ${(lines[index + 1] ?? '').trim()}`) };
    }
  }
  return headings;
}

function shortened(title: string): string {
  const characters = [...title.replaceAll(/\p{Cc}+/gu, ' ').trim()];
  return characters.length <= longestTitle
    ? characters.join('')
    : `${characters.slice(0, longestTitle - 1).join('')}…`;
}

/** Chapters as the file beside a recording that podcast players read: `application/json+chapters`, version 1.2. */
export function writePodcastChapters(chapters: readonly Chapter[]): string {
  const seconds = (value: number): number => Math.round(value * 1000) / 1000;
  const listed = chapters.map(({ title, start, end }) => ({
    startTime: seconds(start),
    endTime: seconds(end),
    title,
  }));
  return `${JSON.stringify({ version: '1.2.0', chapters: listed }, undefined, 2)}\n`;
}
