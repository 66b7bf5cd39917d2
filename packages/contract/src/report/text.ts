/**
 * Untrusted text, safe to show: characters that control a terminal, hide text or reverse it are escaped.
 *
 * A server may answer with an escape sequence that repaints the screen; a report must not pass it on.
 */
export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** Control characters, marks of direction, and halves of characters. Line ends too: a finding is one line. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text for XML 1.0, in an attribute or between tags. What XML can't hold is written out. */
export function xml(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
    .replace(/[\ufffe\uffff]/g, '\ufffd');
}

/** The rule, the operation and the place of a finding. */
export function placeOf({
  rule,
  operationId,
  where,
}: { readonly [part in 'rule' | 'operationId' | 'where']?: string }): string {
  return visible([rule, operationId, where].filter((part) => part !== undefined).join(' '));
}

/** A number of things: `1 call`, `2 calls`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
