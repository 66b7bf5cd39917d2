import { inWords, isObject, pointerNames } from '../json.ts';
import type { Difference } from './difference.ts';
import { keywordOf } from './place.ts';
import { changedLimits, changedRange } from './ranges.ts';
import { lost, type Rating, type Surroundings } from './rating.ts';
import { changedShape } from './shapes.ts';
import { changedRequired, changedValues } from './values.ts';

type Rule = (difference: Difference, surroundings: Surroundings) => Rating | undefined;

/** Our own rules, in the order in which they are asked; the first one that answers decides. */
export const keywordRules: readonly Rule[] = [
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

function changedProperty(
  { pointer, before, after }: Difference,
  { directions }: Surroundings,
): Rating | undefined {
  if (pointerNames(pointer).at(-2) !== 'properties') return undefined;
  if (before === undefined) return { rule: 'added-property', impact: 'minor', words: 'is new' };
  if (after !== undefined) return undefined;
  const action = directions.has('request') ? 'stop sending it' : 'do without it';
  return { rule: 'removed-property', impact: 'major', words: 'was removed', action };
}
