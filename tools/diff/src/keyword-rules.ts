import { asArray, isObject, type Json, pointerNames } from '@speech-api/spec/read';
import { type Difference, type Direction, inWords, isSame, keywordOf } from './place.ts';
import type { Impact } from './verdict.ts';

/** Rating of a difference by a rule. */
interface Rating {
  readonly rule: string;
  readonly impact: Impact;
  /** The change, phrased to follow the name of the thing: "has the default 0.5 instead of 0.7". */
  readonly words: string;
  readonly action?: string;
  /** redocly diff rates this higher than it deserves. */
  readonly overrules?: true;
}

/** The items of the first list that the second does not have. */
function lost(before: Json | undefined, after: Json | undefined): Json[] {
  const kept = new Set(asArray(after));
  return asArray(before).filter((value) => !kept.has(value));
}

type Directions = ReadonlySet<Direction>;
type Rule = (difference: Difference, directions: Directions, isOpen: boolean) => Rating | undefined;

/** Our own rules, in the order in which they are asked; the first one that answers decides. */
export const keywordRules: readonly Rule[] = [
  changedServer,
  changedSecurity,
  changedDefault,
  changedUnit,
  changedRange,
  changedLimits,
  changedFormats,
  removedExample,
  changedValues,
  changedRequired,
  changedShape,
  changedProperty,
];

/** Rates a change of a server's address, which is a setting of its callers. */
function changedServer({ pointer, before, after }: Difference): Rating | undefined {
  const names = pointerNames(pointer);
  const start = names.indexOf('servers');
  if (start < 0 || start === names.length - 1) return undefined;
  const isAddress = ['url', 'host', 'pathname', 'default'].includes(names.at(-1) ?? '');
  if (!isAddress || before === undefined || after === undefined) return undefined;
  const words = `has the address ${inWords(after)} instead of ${inWords(before)}`;
  return { rule: 'changed-server', impact: 'minor', words, overrules: true };
}

/** Callers that still send a key are accepted. */
function changedSecurity({ pointer, before, after }: Difference): Rating | undefined {
  const at = pointerNames(pointer).lastIndexOf('security');
  if (at < 0 || before === undefined) return undefined;
  const isEmpty = (list: Json | undefined) =>
    Array.isArray(list) &&
    (list.length === 0 || list.some((item) => isObject(item) && Object.keys(item).length === 0));
  const isDropped = isEmpty(after) || (after === undefined && pointerNames(pointer).length === at + 3);
  if (!isDropped) return undefined;
  return { rule: 'changed-security', impact: 'minor', words: 'no longer requires a key', overrules: true };
}

function changedDefault({ pointer, before, after }: Difference): Rating | undefined {
  const keyword = keywordOf(pointer);
  if (keyword !== 'default' && keyword !== 'defaultSampleRate') return undefined;
  const rule = 'changed-default';
  if (before === undefined) return { rule, impact: 'minor', words: `states a default: ${inWords(after)}` };
  const words = `has the default ${inWords(after)} instead of ${inWords(before)}`;
  return { rule, impact: 'major', words, action: `send ${inWords(before)} yourself where you relied on it` };
}

function changedUnit({ pointer, before, after }: Difference): Rating | undefined {
  if (keywordOf(pointer) !== 'x-unit') return undefined;
  const rule = 'changed-unit';
  if (before === undefined) return { rule, impact: 'minor', words: `states a unit: ${inWords(after)}` };
  const words = `is in ${inWords(after)} instead of ${inWords(before)}`;
  return { rule, impact: 'major', words, action: 'convert the number' };
}

function changedFormats({ pointer, before, after }: Difference): Rating | undefined {
  const names = pointerNames(pointer);
  if (!names.includes('x-audio-formats') || names.includes('x-provenance') || names.includes('header'))
    return undefined;
  const [rule, what] = ['changed-format', names.slice(names.indexOf('x-audio-formats') + 1).join(' ')];
  const words = `has ${what}: ${inWords(after)} instead of ${inWords(before)}`;
  const isMore = before === undefined || (Array.isArray(after) && lost(before, after).length === 0);
  return isMore
    ? { rule, impact: 'minor', words }
    : { rule, impact: 'major', words, action: 'ask for what is left' };
}

function removedExample({ pointer, before, after }: Difference): Rating | undefined {
  const names = pointerNames(pointer);
  const isNamed = names.at(-2) === 'examples' && isObject(before);
  const isAll = ['example', 'examples'].includes(keywordOf(pointer) ?? '');
  if (before === undefined || after !== undefined || !(isNamed || isAll)) return undefined;
  const words = isNamed ? `lost the example \`${names.at(-1)}\`` : 'lost its example';
  return { rule: 'removed-example', impact: 'major', words, action: 'ask a mock for another example' };
}

function changedProperty({ pointer, before, after }: Difference, directions: Directions): Rating | undefined {
  if (pointerNames(pointer).at(-2) !== 'properties') return undefined;
  if (before === undefined) return { rule: 'added-property', impact: 'minor', words: 'is new' };
  if (after !== undefined) return undefined;
  const action = directions.has('request') ? 'stop sending it' : 'do without it';
  return { rule: 'removed-property', impact: 'major', words: 'was removed', action };
}

/** The values that are listed. */
function changedValues(
  { pointer, before, after }: Difference,
  directions: Directions,
  isOpen: boolean,
): Rating | undefined {
  if (keywordOf(pointer) !== 'enum') return undefined;
  const rule = 'changed-values';
  const [fewer, more] = [lost(before, after), lost(after, before)];
  const words = [
    ...(fewer.length > 0 ? [`lost the values ${fewer.map(inWords).join(', ')}`] : []),
    ...(more.length > 0 ? [`gained the values ${more.map(inWords).join(', ')}`] : []),
  ].join(' and ');
  if (words === '') return { rule, impact: 'patch', words: 'lists its values in another order' };
  const onlyAnswers = directions.size === 1 && directions.has('response');
  const onlyRequests = directions.size === 1 && directions.has('request');
  if (before === undefined || after === undefined || (fewer.length > 0 && !onlyAnswers)) {
    return { rule, impact: 'major', words, action: 'use one of the values that are left' };
  }
  // redocly diff does not know which lists are open.
  if (more.length > 0 && isOpen) return { rule, impact: 'minor', words, overrules: true };
  if (more.length > 0 && !onlyRequests) {
    return { rule, impact: 'major', words, action: 'be ready for the new values' };
  }
  return { rule, impact: 'minor', words };
}

/** Rates a change of what is required. */
function changedRequired({ pointer, before, after }: Difference, directions: Directions): Rating | undefined {
  if (keywordOf(pointer) !== 'required') return undefined;
  const rule = 'changed-required';
  const asNames = (value: Json | undefined): readonly Json[] => (value === true ? ['it'] : asArray(value));
  const [fewer, more] = [lost(asNames(before), asNames(after)), lost(asNames(after), asNames(before))];
  const words = [
    ...(more.length > 0 ? [`now requires ${more.join(', ')}`] : []),
    ...(fewer.length > 0 ? [`no longer requires ${fewer.join(', ')}`] : []),
  ].join(' and ');
  if (words === '') return { rule, impact: 'patch', words: 'lists what it requires in another order' };
  const harmsRequests = more.length > 0 && !(directions.size === 1 && directions.has('response'));
  const harmsAnswers = fewer.length > 0 && !(directions.size === 1 && directions.has('request'));
  if (harmsRequests) return { rule, impact: 'major', words, action: `send ${more.join(', ')}` };
  if (harmsAnswers)
    return { rule, impact: 'major', words, action: `do without ${fewer.join(', ')} where it is absent` };
  return { rule, impact: 'minor', words };
}

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
function changedRange(difference: Difference, directions: Directions): Rating | undefined {
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

function rangeRating(isWider: boolean, directions: Directions, words: string): Rating {
  const harmless: Direction = isWider ? 'request' : 'response';
  const isHarmless = directions.size === 1 && directions.has(harmless);
  const action = isWider ? 'accept the values beyond the old range' : 'keep to the new range';
  // redocly diff does not know which way live messages travel.
  return isHarmless
    ? { rule: 'changed-range', impact: 'minor', words, overrules: true }
    : { rule: 'changed-range', impact: 'major', words, action };
}

/** Limits that no keyword of a schema can hold. Those that are single numbers are ranges, and were rated as such. */
function changedLimits({ pointer, before, after }: Difference): Rating | undefined {
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

/** Rates a change of type, of alternatives, or of whether other fields and values are accepted. */
function changedShape(difference: Difference, directions: Directions): Rating | undefined {
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
  // A whole schema that is new has its parts with it: only an existing schema can change its shape.
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

/** More values do not break a sender; fewer do not break a reader. */
function shapeRating(isWider: boolean, directions: Directions, words: string, action: string): Rating {
  const isHarmless = directions.size === 1 && directions.has(isWider ? 'request' : 'response');
  return isHarmless
    ? { rule: 'changed-shape', impact: 'minor', words, overrules: true }
    : { rule: 'changed-shape', impact: 'major', words, action };
}

/** The alternatives of the first that the second does not cover; one alternative may be there without a list, and every integer is a number. */
function without(first: Json, second: Json): readonly Json[] {
  const asList = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value]);
  const covers = (other: Json, item: Json) =>
    isSame(item, other) || (item === 'integer' && other === 'number');
  return asList(first).filter((item) => !asList(second).some((other) => covers(other, item)));
}
