import { asArray, asObject, asText, type Json, type JsonObject } from '@speech-api/spec/read';
import { sayNumber } from './facts.ts';
import { readRules } from './specification.ts';

/** A rule between fields, which a schema cannot express, in words. */
export type Rule = ReturnType<typeof rulesBetweenFields>[number];

/** The rules between the fields of a synthesis request that have one of these ids, in words. */
export function rulesBetweenFields(ids: readonly Json[]) {
  return readRules('synthesis')
    .filter(({ id = '' }) => ids.includes(id))
    .map((rule) => ({
      id: asText(rule.id),
      anchor: `rule-${asText(rule.id)}`,
      text: sayRule(rule),
      effect: sayEffect(rule),
      provenance: [rule.provenance],
    }));
}

/** A rule as one sentence, made of its conditions, so that it cannot say anything else than they do. */
function sayRule(rule: JsonObject): string {
  const when = asArray(rule.when).map((condition) => sayCondition(asObject(condition), 'is'));
  const requirements = asArray(rule.require).map((condition) => sayCondition(asObject(condition), 'must be'));
  const requirement = requirements.join(', and ');
  if (rule.effect === 'ignore') return `Applies only if ${requirement.replace('must be', 'is')}.`;
  const sentence = when.length === 0 ? requirement : `When ${when.join(' and ')}, ${requirement}`;
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function sayEffect(rule: JsonObject): string {
  if (rule.effect === 'ignore') return 'Otherwise the field is ignored.';
  const enforcedBy = asArray(rule.enforced_by);
  const tolerated = rule.tolerated_by === undefined ? '' : ' A lenient server lets it pass.';
  return enforcedBy.includes('client')
    ? `Our client refuses before anything is sent; servers refuse as well.${tolerated}`
    : `Servers refuse; our client sends the request as it is.${tolerated}`;
}

function sayCondition(condition: JsonObject, verb: 'is' | 'must be'): string {
  const place = sayPlace(asText(condition.at));
  const not = verb === 'is' ? 'is not' : 'must not be';
  if (condition.in !== undefined) return `${place} ${verb} ${sayList(condition.in)}`;
  if (condition.not_in !== undefined) return `${place} ${not} ${sayList(condition.not_in)}`;
  if (condition.is !== undefined)
    return `${place} ${verb} ${kinds[asText(condition.is)] ?? asText(condition.is)}`;
  if (condition.speaker_tags_below !== undefined) {
    const length = sayPlace(asText(condition.speaker_tags_below));
    return `the tags \`<|speaker:N|>\` in ${place} count from 0 and stay below the number of entries in ${length}`;
  }
  if (condition.same_length_as !== undefined)
    return `${place} has as many entries as ${sayPlace(asText(condition.same_length_as))}`;
  if (typeof condition.code_points_at_most === 'number')
    return `${place} has at most ${sayNumber(condition.code_points_at_most)} Unicode code points`;
  throw new Error(`the condition ${JSON.stringify(condition)} of a rule has no words yet`);
}

const kinds: Readonly<Record<string, string>> = {
  present: 'given',
  absent: 'left out',
  string: 'a string',
  array: 'an array',
  'array-of-arrays': 'an array of arrays',
};

function sayPlace(place: string): string {
  if (place.startsWith('header:')) return `the header \`${place.slice('header:'.length)}\``;
  return `\`${place.slice(1).replaceAll('/', '.')}\``;
}

function sayList(values: Json): string {
  const codes = asArray(values).map((value) => (value === '' ? 'empty' : `\`${String(value)}\``));
  const last = codes.at(-1) ?? '';
  return codes.length < 2 ? last : `${codes.slice(0, -1).join(', ')} or ${last}`;
}
