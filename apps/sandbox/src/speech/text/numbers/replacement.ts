/** What is said in place of a stretch of text; the indices are code points. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly words: string;
}

/** A way to write a number, and how it is read. */
export interface NumberForm {
  /** Without any flag but `u` and `g`; what is to be replaced is the whole match. */
  readonly pattern: RegExp;
  /** `undefined` leaves the match to the engine. */
  read(match: RegExpExecArray): string | undefined;
}

/** Reads every number of a text by the first form that fits; forms that come earlier win where two overlap. */
export function replaceNumbers(text: string, forms: readonly NumberForm[]): Replacement[] {
  const found: Replacement[] = [];
  for (const form of forms) {
    for (const match of text.matchAll(form.pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const words = form.read(match);
      if (words !== undefined) found.push({ start, end, words });
    }
  }
  return found.sort((left, right) => left.start - right.start);
}
