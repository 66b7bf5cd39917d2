import { inWords, isObject, type Json, pointerNames } from '../json.ts';
import type { Difference } from './difference.ts';
import type { Direction } from './direction.ts';
import { keywordOf } from './place.ts';
import type { Rating, Surroundings } from './rating.ts';

const lower = new Set([
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
  'refusedBelow',
]);
const upper = new Set([
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'refusedAbove',
]);

/** Bounds of numbers, texts and lists, where one keyword holds them. */
export function changedRange(difference: Difference, { directions }: Surroundings): Rating | undefined {
  const { pointer, before, after } = difference;
  const keyword = keywordOf(pointer) ?? '';
  if (keyword === 'multipleOf' || keyword === 'pattern') {
    const words = `has the ${keyword} ${inWords(after)} instead of ${inWords(before)}`;
    return { rule: 'changed-range', impact: 'major', words, action: 'keep to the new form' };
  }
  if (!lower.has(keyword) && !upper.has(keyword)) return undefined;
  const sign = lower.has(keyword) ? -1 : 1;
  const rises = boundOf(after, sign) > boundOf(before, sign);
  const isWider = sign > 0 ? rises : !rises;
  const words = `has the ${keyword} ${inWords(after)} instead of ${inWords(before)}`;
  return rangeRating(isWider, directions, words);
}

/** A bound that is not there holds nothing back. */
function boundOf(value: Json | undefined, sign: number): number {
  return typeof value === 'number' ? value : sign * Number.POSITIVE_INFINITY;
}

function rangeRating(isWider: boolean, directions: ReadonlySet<Direction>, words: string): Rating {
  const harmless: Direction = isWider ? 'request' : 'response';
  const isHarmless = directions.size === 1 && directions.has(harmless);
  const action = isWider ? 'accept the values beyond the old range' : 'keep to the new range';
  return {
    rule: 'changed-range',
    impact: isHarmless ? 'minor' : 'major',
    words,
    ...(!isHarmless && { action }),
  };
}

/** Limits that no keyword of a schema can hold. Those that are single numbers are ranges, and were rated as such. */
export function changedLimits({ pointer, before, after }: Difference): Rating | undefined {
  const names = pointerNames(pointer);
  const start = names.indexOf('x-limits');
  if (start < 0 || names.includes('x-provenance')) return undefined;
  const rule = 'changed-range';
  const isHarder = after !== undefined && isEnforced(after);
  const words = `has the limits ${inWords(after)} instead of ${inWords(before)} (${names.slice(start).join('/')})`;
  return isHarder
    ? { rule, impact: 'major', words, action: 'keep to the limits' }
    : { rule, impact: 'minor', words };
}

function isEnforced(limits: Json): boolean {
  if (!isObject(limits)) return limits !== false;
  if (limits.enforced !== undefined) return limits.enforced !== false;
  const inner = Object.values(limits).filter(isObject);
  return inner.length === 0 || inner.some(isEnforced);
}
