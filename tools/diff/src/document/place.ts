import { type JsonObject, objectOf, pointerNames, pointerPart } from '../json.ts';
import { type Direction, valueAt } from './direction.ts';

/** Members that hold things by a name of their own: what stands below them is no keyword. */
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

/** Whether the place is inside the value of an example or of a default: its members are data, not keywords. */
export function isInsideData(pointer: string): boolean {
  const names = pointerNames(pointer);
  return names.some(
    (name, index) =>
      index < names.length - 1 &&
      ['example', 'value', 'default', 'const'].includes(name) &&
      !maps.has(names[index - 1] ?? ''),
  );
}

/** What a line of the changelog calls the place: the field, the operation, the parameter or the component. */
export function subjectOf(document: JsonObject, pointer: string): string {
  const names = pointerNames(pointer);
  const property = names.findLastIndex((name, index) => name === 'properties' && index < names.length - 1);
  if (property >= 0) return names[property + 1] ?? '';
  if (names[0] === 'paths') {
    const { operationId } = objectOf(valueAt(document, names.slice(0, 3).map(pointerPart).join('')));
    return typeof operationId === 'string' ? operationId : (names[1] ?? '');
  }
  const component = objectOf(valueAt(document, names.slice(0, 3).map(pointerPart).join('')));
  if (names[1] === 'parameters' && typeof component.name === 'string') return component.name;
  if (names[0] === 'components') return names[2] ?? names[1] ?? '';
  // A channel and an operation of AsyncAPI have names; of what else there is, such as servers, the kind says enough.
  return (names[0] === 'channels' || names[0] === 'operations' ? names[1] : names[0]) ?? '';
}

/** Who meets a change of a document, in the words of the changelog. */
export function audienceOf(directions: ReadonlySet<Direction>, isLive: boolean): string {
  if (isLive) return 'Who opens live sessions';
  if (directions.size !== 1) return 'Everybody';
  return directions.has('request') ? 'Who sends requests' : 'Who reads answers';
}
