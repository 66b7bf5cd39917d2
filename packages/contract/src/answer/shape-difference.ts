import { isObject } from '../specification/document.ts';

/** No answer of the contract is nearly as deep. */
const deepest = 100;

/**
 * Where two values differ in shape: in the names they have, or the types. What stands in them does not matter.
 *
 * Null may stand for anything and an empty array for any other: both say nothing about the shape.
 */
export function shapeDifference(one: unknown, other: unknown, pointer = '', depth = 0): string | undefined {
  if (one === null || other === null || depth > deepest) return undefined;
  const place = pointer === '' ? 'the body' : `\`${pointer}\``;
  if (kindOf(one) !== kindOf(other)) return `${place} is ${kindOf(one)} here and ${kindOf(other)} there`;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === 0 || other.length === 0
      ? undefined
      : shapeDifference(one[0], other[0], `${pointer}/0`, depth + 1);
  }
  if (!isObject(one) || !isObject(other)) return undefined;
  for (const name of Object.keys({ ...one, ...other })) {
    if (!(name in one) || !(name in other)) return `\`${pointer}/${name}\` is there only once`;
    const difference = shapeDifference(one[name], other[name], `${pointer}/${name}`, depth + 1);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'an array' : isObject(value) ? 'an object' : `a ${typeof value}`;
}
