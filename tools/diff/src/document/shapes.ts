import { inWords, isSame, type Json } from '../json.ts';
import type { Difference } from './difference.ts';
import type { Direction } from './direction.ts';
import { keywordOf } from './place.ts';
import type { Rating, Surroundings } from './rating.ts';

/** Keywords that say which values there are: another value of theirs is another shape. */
const shapes = [
  'const',
  'format',
  'contentEncoding',
  'contentMediaType',
  'x-binary',
  'allOf',
  'items',
  '$ref',
];

/** Lists of alternatives: one more of them takes nothing away from who sends, and surprises who reads. */
const alternatives = ['type', 'anyOf', 'oneOf'];

/** What kind of value there is: type, alternatives, whether other fields and values are let through. */
export function changedShape(difference: Difference, { directions }: Surroundings): Rating | undefined {
  const { pointer, before, after } = difference;
  const keyword = keywordOf(pointer) ?? '';
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const isClosed = after === false;
    const words = isClosed ? 'takes no other fields any more' : 'takes other fields';
    return shapeRating(!isClosed, directions, words, 'send no other fields');
  }
  if (keyword === 'x-open-enum') {
    const words = after === true ? 'lets other values through' : 'lets no other values through any more';
    const [rule, action] = ['changed-shape', 'use a value that is listed'];
    return { rule, impact: after === true ? 'minor' : 'major', words, action };
  }
  // A whole schema that is new has its parts with it: only what stood there before has changed its shape.
  if (before === undefined || !(shapes.includes(keyword) || alternatives.includes(keyword))) return undefined;
  const words = `has the ${keyword} ${inWords(after)} instead of ${inWords(before)}`;
  const action = 'read and send the new shape';
  if (alternatives.includes(keyword) && after !== undefined) {
    const [fewer, more] = [without(before, after), without(after, before)];
    if (fewer.length === 0) return shapeRating(true, directions, words, action);
    if (more.length === 0) return shapeRating(false, directions, words, action);
  }
  return { rule: 'changed-shape', impact: 'major', words, action };
}

/** More values are harmless to who sends them, fewer to who reads them. */
function shapeRating(
  isWider: boolean,
  directions: ReadonlySet<Direction>,
  words: string,
  action: string,
): Rating {
  const isHarmless = directions.size === 1 && directions.has(isWider ? 'request' : 'response');
  return isHarmless
    ? { rule: 'changed-shape', impact: 'minor', words }
    : { rule: 'changed-shape', impact: 'major', words, action };
}

/** The alternatives of the first that the second does not have; one alternative may stand without a list. */
function without(first: Json, second: Json): readonly Json[] {
  const asList = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value]);
  return asList(first).filter((item) => !asList(second).some((other) => isSame(item, other)));
}
