import {
  asObject,
  isObject,
  type Json,
  type JsonObject,
  pointerNames,
  pointerPart,
  valueAt,
} from '@speech-api/spec/read';

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
      const { $ref, in: place, name } = asObject(parameter);
      return [String($ref ?? `${String(place)} ${String(name)}`), [index, parameter] as const];
    }),
  );
}

function areAlike(before: readonly Json[], after: readonly Json[]): boolean {
  return before.length === after.length && [...before, ...after].every(isObject);
}

/** Which way the values of a schema travel. */
export type Direction = 'request' | 'response';

/**
 * Tells for each place of a document whether it describes what a client sends, what it receives, or both.
 *
 * Components are followed from the operations that use them. What nothing uses has no direction.
 */
export function directionsOf(document: JsonObject): (pointer: string) => ReadonlySet<Direction> {
  const components = new Map<string, Set<Direction>>();

  function follow(value: Json, direction: Direction): void {
    if (Array.isArray(value)) for (const item of value) follow(item, direction);
    if (!isObject(value)) return;
    for (const [name, item] of Object.entries(value)) {
      if (name === '$ref' && typeof item === 'string') enter(item, direction);
      else follow(item, direction);
    }
  }

  function enter(reference: string, direction: Direction): void {
    const pointer = reference.slice(1);
    const known = components.get(pointer) ?? new Set();
    if (known.has(direction)) return;
    components.set(pointer, known.add(direction));
    const target = valueAt(document, pointer);
    if (target !== undefined) follow(target, direction);
  }

  for (const path of Object.values(asObject(document.paths))) {
    for (const operation of [path, ...Object.values(asObject(path))].filter(isObject)) {
      follow([operation.parameters ?? [], operation.requestBody ?? {}], 'request');
      follow(operation.responses ?? {}, 'response');
    }
  }
  // In AsyncAPI the one who receives is the service.
  for (const operation of Object.values(asObject(document.operations)).filter(isObject)) {
    follow(operation.messages ?? [], operation.action === 'receive' ? 'request' : 'response');
  }
  for (const channel of Object.values(asObject(document.channels)).filter(isObject)) {
    follow(channel.bindings ?? {}, 'request');
  }

  return (pointer) => {
    const own = ownDirection(pointer);
    if (own) return new Set([own]);
    const names = pointerNames(pointer);
    const holders = names.map((_, index) =>
      names
        .slice(0, index + 1)
        .map(pointerPart)
        .join(''),
    );
    return new Set(holders.flatMap((holder) => [...(components.get(holder) ?? [])]));
  };
}

function ownDirection(pointer: string): Direction | undefined {
  const names = pointerNames(pointer);
  if (names[0] !== 'paths') return undefined;
  if (names.includes('responses')) return 'response';
  return names.includes('requestBody') || names.includes('parameters') ? 'request' : undefined;
}

/** Members that map names to things: the names below them are not keywords. */
const maps = new Set([
  'properties',
  'patternProperties',
  'schemas',
  'headers',
  'responses',
  'x-audio-formats',
]);

/** The keyword that a pointer ends in; nothing when it ends in the name of a property or a component. */
export function keywordOf(pointer: string): string | undefined {
  const names = pointerNames(pointer);
  return maps.has(names.at(-2) ?? '') && !maps.has(names.at(-3) ?? '') ? undefined : names.at(-1);
}

/** Whether the place is inside the value of an example or a default, whose members are data, not keywords. */
export function isInsideData(pointer: string): boolean {
  const names = pointerNames(pointer);
  return names.some(
    (name, index) =>
      index < names.length - 1 &&
      ['example', 'value', 'default', 'const'].includes(name) &&
      !maps.has(names[index - 1] ?? ''),
  );
}

/** Name of the place in the changelog: the field, the operation, the parameter or the component. */
export function subjectOf(document: JsonObject, pointer: string): string {
  const names = pointerNames(pointer);
  const property = names.findLastIndex((name, index) => name === 'properties' && index < names.length - 1);
  if (property >= 0) return names[property + 1] ?? '';
  if (names[0] === 'paths') {
    const { operationId } = asObject(valueAt(document, names.slice(0, 3).map(pointerPart).join('')));
    return typeof operationId === 'string' ? operationId : (names[1] ?? '');
  }
  const component = asObject(valueAt(document, names.slice(0, 3).map(pointerPart).join('')));
  if (names[1] === 'parameters' && typeof component.name === 'string') return component.name;
  if (names[0] === 'components') return names[2] ?? names[1] ?? '';
  // A channel and an operation of AsyncAPI have names; of what else there is, such as servers, the kind says enough.
  return (names[0] === 'channels' || names[0] === 'operations' ? names[1] : names[0]) ?? '';
}

/** The readers that a change of a document affects, in the words of the changelog. */
export function audienceOf(directions: ReadonlySet<Direction>, isLive: boolean): string {
  if (isLive) return 'Clients of live sessions';
  if (directions.size !== 1) return 'Everyone';
  return directions.has('request') ? 'Clients that send requests' : 'Clients that read responses';
}

/** Whether two values are equal, regardless of the order of members. */
export function isSame(first: Json | undefined, second: Json | undefined): boolean {
  if (first === second) return true;
  if (Array.isArray(first) && Array.isArray(second)) {
    return first.length === second.length && first.every((item, index) => isSame(item, second[index]));
  }
  if (!isObject(first) || !isObject(second)) return false;
  const names = Object.keys(first);
  return (
    names.length === Object.keys(second).length && names.every((name) => isSame(first[name], second[name]))
  );
}

/** A value as one reads it in a sentence: short, and never over several lines. */
export function inWords(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

const figure =
  /\d[\d.,]*(?<=\d)(?:\s?(?:%|\p{L}+(?:\/\p{L}+)?))?|\b(?:(?:milli|micro)?seconds?|minutes?|hours?|days?|[kmg]i?b|(?:kilo|mega)?bytes?|k?hz|d?b|percent|characters?|credits?|semitones?)\b/giu;

/** The numbers and units that other words for the same thing changed, for a person to confirm. */
export function changedFigures(before: Json | undefined, after: Json | undefined): { figures?: string } {
  if (typeof before !== 'string' || typeof after !== 'string') return {};
  const figuresOf = (text: string): string[] => text.match(figure) ?? [];
  const gone = figuresOf(before).filter((each) => !figuresOf(after).includes(each));
  const come = figuresOf(after).filter((each) => !figuresOf(before).includes(each));
  if (gone.length + come.length === 0) return {};
  return { figures: `${come.join(', ') || 'nothing'} instead of ${gone.join(', ') || 'nothing'}` };
}
