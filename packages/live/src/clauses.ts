/** A piece of text to send; with `flush` it is spoken without waiting for more. */
export interface Cut {
  readonly text: string;
  readonly flush: boolean;
}

/** Text this long without a sentence end is sent without a flush: the server keeps collecting it. */
const maximumPiece = 300;
/** A bracket must close within this many characters to be a tag. */
const maximumTag = 200;

const closers = `"'”’»)\\]}`;
/**
 * An end without a space behind it: a model forgot it, as between two of its answers. The words around it are ordinary ones,
 * unlike those of `System.Collections.Generic`.
 */
const gluedEnd = /(?=\p{Lu}\p{Ll}*[\s,’'])(?<=(?:^|\s)\p{Ll}{2,30}[.!?…]{1,3})/gu;
const marks = ',;:.!?…—–،؛؟।';
// A match begins only where its marks begin: from each mark of a long row, the search would take the square of its length.
const clauseEnd = new RegExp(
  `${gluedEnd.source}|(?<![${marks}])[${marks}]+[${closers}]*(?=\\s)|[，；：、。！？]+[${closers}」』）]*|\\n`,
  'gu',
);
/** Without one of these characters there is no sentence end to search for. */
const mayEnd = /\p{Sentence_Terminal}|[…\n]/u;
/** In scripts without spaces a sentence ends with its mark, in others with the white space behind it. */
const endedByMark = new RegExp(`[。！？｡][${closers}」』）]*$`, 'u');
const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const abbreviations = new Set(
  (
    'mr mrs ms mx dr prof sr jr st rev hon gen col capt lt sgt gov sen rep pres vs etc no nos fig figs vol vols ed eds ' +
    'ch sec art al approx est inc ltd co corp dept univ ave blvd rd mt ft jan feb mar apr jun jul aug sep sept oct nov ' +
    'dec mon tue tues wed thu thur thurs fri sat sun tel ext min max cf ca bzw usw evtl ggf nr str'
  ).split(' '),
);

/** Minimum characters of the first clause; a shorter one is joined with the next. */
const firstClauseCharacters = 12;
/** Characters to search first for an end: a stored answer may arrive in one piece. */
const windowCharacters = 400;

/** Returns the start of a growing text that can be spoken on its own, or nothing. The first cut may be a clause. */
export function nextCut(text: string, isFirst: boolean): Cut | undefined {
  const cut = cutOf(text.slice(0, windowCharacters), isFirst);
  return cut ?? (text.length > windowCharacters ? cutOf(text, isFirst) : undefined);
}

function cutOf(text: string, isFirst: boolean): Cut | undefined {
  const firstWord = firstWordIn(text);
  if (firstWord < 0) return undefined;
  for (const behind of isFirst ? clauseEnds(text) : sentenceEnds(text)) {
    const before = text.slice(0, behind).trimEnd();
    if (isFirst && before.trim().length < firstClauseCharacters) continue;
    if (before.length <= firstWord || isInTag(text, before.length - 1)) continue;
    const ends = endsSentence(before, text[behind]);
    if (ends) return { text: text.slice(0, behind), flush: true };
    // The deciding character has not been written yet.
    if (ends === undefined) break;
  }
  if (text.length <= maximumPiece) return undefined;
  const spaces = [...text.matchAll(/\s/g)].map(({ index }) => index).reverse();
  const end = spaces.find((index) => index > 0 && !isInTag(text, index));
  if (end === undefined || end <= firstWord) return undefined;
  return { text: text.slice(0, end + 1), flush: false };
}

/** Positions where clauses end, after the white space that follows them. */
function* clauseEnds(text: string): Generator<number> {
  for (const match of text.matchAll(clauseEnd)) {
    const behind = match.index + match[0].length;
    yield behind + (/^\s*/.exec(text.slice(behind))?.[0].length ?? 0);
  }
}

/** Ends of sentences by Unicode's rules, also where the next sentence has not begun yet. */
function sentenceEnds(text: string): number[] {
  if (!mayEnd.test(text)) return [];
  const ends = [...text.matchAll(gluedEnd)].map(({ index }) => index);
  // A capital letter after it shows whether the last sentence has ended.
  for (const { segment, index } of sentences.segment(`${text}A`)) {
    const end = index + segment.length;
    if (end <= text.length && (/\s$/u.test(segment) || endedByMark.test(segment))) ends.push(end);
  }
  return ends.sort((left, right) => left - right);
}

/** True if the text has a letter or a digit outside its tags and the first lines of code blocks. */
export function isSpeakable(text: string): boolean {
  return firstWordIn(text) >= 0;
}

const tagOrLetter = /<\|[^|]{0,200}\|>|\[[^\]]{0,200}\]|```\S*|([\p{L}\p{N}])/gu;

/** The position of the first letter or digit that is spoken, or -1. */
function firstWordIn(text: string): number {
  for (const { index, 1: letter } of text.matchAll(tagOrLetter)) if (letter !== undefined) return index;
  return -1;
}

/** True if a bracket that opened before `index` is still open there. */
function isInTag(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - maximumTag), index);
  return /\[[^\]]*$|\([^)]*$|<\|(?:(?!\|>)[\s\S])*$/u.test(before);
}

/**
 * True if a full stop at the end of `before` ends a sentence: not after an abbreviation, an initial, or a
 * number that continues. Undefined while the character that decides it is missing.
 */
function endsSentence(before: string, next: string | undefined): boolean | undefined {
  const word = /(\S+)\.$/u.exec(before.slice(-maximumTag))?.[1]?.replace(/^["'“‘«([]+/u, '');
  if (word === undefined) return true;
  if (abbreviations.has(word.toLowerCase()) || /^\p{L}$/u.test(word) || /^(?:\p{L}+\.)+\p{L}+$/u.test(word)) {
    return false;
  }
  if (!/\p{N}$/u.test(word)) return true;
  // "1. First" in a list, "3. May", "No. 3. 5"
  if (/^\p{N}{1,2}$/u.test(word) && /(?:^|\n)\s*\p{N}+\.$/u.test(before)) return false;
  if (next === undefined) return undefined;
  return !/[\p{Ll}\p{N}]/u.test(next);
}
