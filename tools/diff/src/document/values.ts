import { inWords, type Json, listOf } from '../json.ts';
import type { Difference } from './difference.ts';
import { keywordOf } from './place.ts';
import { lost, type Rating, type Surroundings } from './rating.ts';

/** The values that are listed. */
export function changedValues(
  { pointer, before, after }: Difference,
  { directions, isOpen }: Surroundings,
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
  if (more.length > 0 && !onlyRequests && !isOpen) {
    return { rule, impact: 'major', words, action: 'be ready for the new values' };
  }
  return { rule, impact: 'minor', words };
}

/** What has to be there. */
export function changedRequired(
  { pointer, before, after }: Difference,
  { directions }: Surroundings,
): Rating | undefined {
  if (keywordOf(pointer) !== 'required') return undefined;
  const rule = 'changed-required';
  const asNames = (value: Json | undefined): readonly Json[] => (value === true ? ['it'] : listOf(value));
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
