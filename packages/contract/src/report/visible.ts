/**
 * Text of a stranger as it may be shown: what directs a terminal, or hides and turns text around, is written out.
 *
 * A server may answer with an escape sequence that repaints the screen; a report must not do as it is told.
 */
export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** Control characters, marks of direction, and halves of characters. Line ends too: a finding is one line. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
