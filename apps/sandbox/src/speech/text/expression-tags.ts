import { effectOfTag, type TagEffect } from '../prosody/direction.ts';

/** `s1` reads tags in parentheses, the S2 family in brackets. */
export type TagStyle = 'parentheses' | 'brackets';

/** A tag in a text; the indices are UTF-16 units. */
export interface ExpressionTag {
  readonly start: number;
  readonly end: number;
  readonly effect: TagEffect;
}

export function tagStyleOf(model: string): TagStyle {
  return model === 's1' ? 'parentheses' : 'brackets';
}

/** Finds every expression tag of the style; any other parenthesis or bracket is part of the text. */
export function expressionTags(text: string, style: TagStyle): ExpressionTag[] {
  const pattern = style === 'parentheses' ? /\(([a-z][a-z -]{2,24})\)/giu : /\[([a-z][a-z -]{2,24})\]/giu;
  return [...text.matchAll(pattern)].flatMap((match) => {
    const effect = effectOfTag(match[1] ?? '');
    return effect === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, effect }];
  });
}
