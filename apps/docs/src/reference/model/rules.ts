import { asArray, asObject, asText, isObject, type Json, type JsonObject } from '@speech-api/spec/read';
import type { Mark, UnknownEntry } from './page-model.ts';

/** A rule between fields, which a schema cannot express, in words. */
export type Rule = ReturnType<typeof readRules>[number];

/** The rules between the fields of a synthesis request that an operation has, in words. */
export function readRules(rules: readonly Json[], operationId: string, marks: MarkReader) {
  return rules
    .map(asObject)
    .filter((rule) => rule.applies_to === undefined || asArray(rule.applies_to).includes(operationId))
    .map((rule) => ({
      id: asText(rule.id),
      anchor: `rule-${asText(rule.id)}`,
      text: sayRule(rule),
      effect: sayEffect(rule),
      marks: marks.read(rule.provenance),
    }));
}

/** A rule as one sentence, made of its conditions, so that it cannot say anything else than they do. */
export function sayRule(rule: JsonObject): string {
  const when = asArray(rule.when).map((condition) => sayCondition(asObject(condition), 'is'));
  const require = asArray(rule.require).map((condition) => sayCondition(asObject(condition), 'must be'));
  const then = require.join(', and ');
  const start = when.length === 0 ? then : `When ${when.join(' and ')}, ${then}`;
  return `${start.charAt(0).toUpperCase()}${start.slice(1)}.`;
}

function sayEffect(rule: JsonObject): string {
  if (rule.effect === 'ignore') return 'Otherwise the field is ignored and the request is still accepted.';
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
    return `${place} has at most ${condition.code_points_at_most.toLocaleString('en-GB').replaceAll(',', '\u00a0')} Unicode code points`;
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

/** Reads provenance marks, with what the register of unknowns says about each. */
export class MarkReader {
  readonly #entries: ReadonlyMap<string, UnknownEntry>;

  constructor(register: readonly UnknownEntry[]) {
    this.#entries = new Map(register.map((entry) => [entry.id, entry]));
  }

  /** The marks in one or several values of `x-provenance` (or of a rule's `provenance`), each once. */
  read(...values: (Json | undefined)[]): readonly Mark[] {
    const marks = new Map<string, Mark>();
    for (const value of values.flat()) {
      if (!isObject(value)) continue;
      const unknown = asText(value.unknown);
      const entry = this.#entries.get(unknown);
      if (entry === undefined) throw new Error(`the mark ${unknown} has no entry in unknowns.yaml`);
      const of = sayMembers(asArray(value.of).map(asText));
      const from = value.from === 'public' ? 'public' : 'assumed';
      const { choice, reason } = entry;
      marks.set(`${unknown} ${of}`, { unknown, from, of, choice, reason });
    }
    return [...marks.values()];
  }
}

/** Members of a document as a reader knows them: `responses/401` is the status, `x-unit` the unit. */
function sayMembers(members: readonly string[]): string {
  const words: Record<string, string> = {
    additionalProperties: 'no other field',
    unevaluatedProperties: 'no other field',
    minItems: 'fewest entries',
    maxItems: 'most entries',
    'x-unit': 'unit',
    refusedAbove: 'where it is refused',
    schema: 'type',
  };
  // The words of a description cannot be told apart; whoever reads it has them before him.
  return members
    .filter((member) => member !== 'description')
    .map((member) => words[member] ?? member.replace(/^responses\//, 'status '))
    .join(', ');
}
