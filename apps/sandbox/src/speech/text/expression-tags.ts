/**
 * Words that colour the voice when they stand in a tag. The list is closed, so that a remark in parentheses
 * is still read out; the embedded engine has no such colours, so that a tag is left out of what it says.
 */
const expressions = new Set(
  [
    'angry sad disdainful excited surprised satisfied unhappy anxious hysterical delighted scared worried',
    'indifferent upset impatient nervous guilty scornful frustrated depressed panicked furious empathetic',
    'embarrassed reluctant disgusted keen moved proud relaxed grateful confident interested curious confused',
    'joyful disapproving negative denying astonished serious sarcastic conciliative comforting sincere sneering',
    'hesitating yielding painful awkward amused happy calm tender whispering whisper shouting screaming laughing',
    'chuckling sobbing sighing sigh panting groaning crying break long-break pause laugh chuckle gasp cough',
  ]
    .join(' ')
    .split(' ')
    .concat([
      'in a hurry tone',
      'soft tone',
      'crowd laughing',
      'background laughter',
      'audience laughing',
      'crying loudly',
      'clearing throat',
      'short pause',
      'long pause',
    ]),
);

/** `s1` reads tags in parentheses, the S2 family in brackets. */
export type TagStyle = 'parentheses' | 'brackets';

export function tagStyleOf(model: string): TagStyle {
  return model === 's1' ? 'parentheses' : 'brackets';
}

/** Finds every expression tag of the style; the indices are UTF-16 units of the text. */
export function expressionTags(text: string, style: TagStyle): { start: number; end: number }[] {
  const pattern = style === 'parentheses' ? /\(([a-z][a-z -]{2,24})\)/giu : /\[([a-z][a-z -]{2,24})\]/giu;
  return [...text.matchAll(pattern)]
    .filter((match) => expressions.has((match[1] ?? '').trim().toLowerCase()))
    .map((match) => ({ start: match.index, end: match.index + match[0].length }));
}
