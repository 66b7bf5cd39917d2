import type { RecallDocument } from '../recall/recall-store.ts';

/**
 * The part of a document's text that some of its words stand in, with the punctuation between them and after them.
 *
 * @param first index of the first word
 * @param last index of the last one
 */
export function textOf({ text, words }: RecallDocument, first: number, last: number): string {
  const starts: number[] = [];
  let from = 0;
  for (const word of words) {
    const start = text.indexOf(word.text, from);
    // Words may be written otherwise than in the text: then they stand for themselves.
    if (start < 0) {
      return words
        .slice(first, last + 1)
        .map((each) => each.text)
        .join(' ');
    }
    starts.push(start);
    from = start + word.text.length;
  }
  const start = first === 0 ? 0 : starts[first];
  const end = starts[last + 1] ?? text.length;
  // What opens before the next word belongs to that one.
  return text
    .slice(start, end)
    .replace(/[\s\p{Ps}\p{Pi}]+$/u, '')
    .trim();
}
