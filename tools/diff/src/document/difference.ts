import { isObject, isSame, type Json, objectOf, pointerPart } from '../json.ts';

/** One place at which two documents differ. */
export interface Difference {
  /** JSON pointer in the newer document, or in the older one for what is gone. */
  readonly pointer: string;
  /** Absent when it was added. */
  readonly before?: Json;
  /** Absent when it was removed. */
  readonly after?: Json;
}

/**
 * Every place at which two documents differ, as deep as it can be named.
 *
 * Parameters are found again by what they are; lists of other objects are compared item by item when they are of one
 * length; other lists are one value.
 */
export function* differences(before: Json, after: Json, pointer = ''): Generator<Difference> {
  if (isSame(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [old, now] = [before[name], after[name]];
      const at = pointer + pointerPart(name);
      if (old === undefined && now !== undefined) yield { pointer: at, after: now };
      else if (old !== undefined && now === undefined) yield { pointer: at, before: old };
      else if (old !== undefined && now !== undefined) yield* differences(old, now, at);
    }
  } else if (Array.isArray(before) && Array.isArray(after) && pointer.endsWith('/parameters')) {
    yield* parameterDifferences(before, after, pointer);
  } else if (Array.isArray(before) && Array.isArray(after) && areAlike(before, after)) {
    for (const [index, item] of before.entries()) {
      yield* differences(item, after[index], pointer + pointerPart(index));
    }
  } else {
    yield { pointer, before, after };
  }
}

function* parameterDifferences(
  before: readonly Json[],
  after: readonly Json[],
  pointer: string,
): Generator<Difference> {
  const [old, now] = [byIdentity(before), byIdentity(after)];
  for (const [identity, [index, parameter]] of now) {
    const known = old.get(identity);
    const at = pointer + pointerPart(index);
    if (known) yield* differences(known[1], parameter, at);
    else yield { pointer: at, after: parameter };
  }
  for (const [identity, [index, parameter]] of old) {
    if (!now.has(identity)) yield { pointer: pointer + pointerPart(index), before: parameter };
  }
}

/** Parameters by their reference, or by place and name. */
function byIdentity(parameters: readonly Json[]): Map<string, readonly [index: number, parameter: Json]> {
  return new Map(
    parameters.map((parameter, index) => {
      const { $ref, in: place, name } = objectOf(parameter);
      return [String($ref ?? `${String(place)} ${String(name)}`), [index, parameter] as const];
    }),
  );
}

function areAlike(before: readonly Json[], after: readonly Json[]): boolean {
  return before.length === after.length && [...before, ...after].every(isObject);
}
