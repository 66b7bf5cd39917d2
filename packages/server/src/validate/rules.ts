import {
  defaultModel,
  prosodyDefaults,
  type RuleCondition,
  type RulePlace,
  type RuleValue,
  type SynthesisRule,
  synthesisDefaults,
  synthesisRules,
} from '@speech-api/types';
import { listed } from './words.ts';

/** The request a rule speaks about. Its schema has been checked before. */
export interface RuleSubject {
  readonly body: unknown;
  /** The model header, where there is one. */
  readonly model: string | undefined;
  /** Rules may be for some operations only. */
  readonly operationId: string;
}

/** A rule that a request breaks, with its message filled in. */
export interface BrokenRule {
  readonly rule: SynthesisRule;
  readonly message: string;
}

const defaults: Readonly<Record<string, unknown>> = { ...synthesisDefaults, prosody: prosodyDefaults };

/**
 * The first rule of the spec that a server must refuse the request for.
 *
 * @param skipped ids of tolerances whose rules do not count
 */
export function findBrokenRule(
  subject: RuleSubject,
  skipped: ReadonlySet<string> = new Set(),
  rules: readonly SynthesisRule[] = synthesisRules,
): BrokenRule | undefined {
  for (const rule of rules) {
    if (rule.effect !== 'refuse' || !rule.enforced_by.includes('server')) continue;
    if (rule.applies_to && !rule.applies_to.includes(subject.operationId)) continue;
    if (rule.tolerated_by !== undefined && skipped.has(rule.tolerated_by)) continue;
    if (!rule.when.every((condition) => holds(condition, subject))) continue;
    const broken = rule.require.find((condition) => !holds(condition, subject));
    if (broken) return { rule, message: fillIn(rule, broken, subject) };
  }
  return undefined;
}

function holds(condition: RuleCondition, subject: RuleSubject): boolean {
  const value = valueAt(condition.at, subject);
  if ('is' in condition) {
    switch (condition.is) {
      case 'present':
        return value !== undefined;
      case 'absent':
        return value === undefined;
      case 'string':
        return typeof value === 'string';
      case 'array':
        return Array.isArray(value);
      case 'array-of-arrays':
        return Array.isArray(value) && value.every(Array.isArray);
    }
  }
  // What is left out and has no default breaks nothing.
  if (value === undefined) return true;
  if ('in' in condition) return condition.in.includes(value as RuleValue);
  if ('not_in' in condition) return !condition.not_in.includes(value as RuleValue);
  if ('speaker_tags_below' in condition) {
    return highestSpeaker(String(value)) < lengthOf(valueAt(condition.speaker_tags_below, subject));
  }
  if ('same_length_as' in condition)
    return lengthOf(value) === lengthOf(valueAt(condition.same_length_as, subject));
  return codePointsAtMost(String(value), condition.code_points_at_most);
}

/** The value at a place with the spec's defaults filled in; null counts as left out. */
function valueAt(place: RulePlace, subject: RuleSubject): unknown {
  if (place === 'header:model') return subject.model ?? defaultModel;
  const steps = place.slice(1).split('/');
  return at(subject.body, steps) ?? at(defaults, steps) ?? undefined;
}

function at(value: unknown, steps: readonly string[]): unknown {
  let current = value;
  for (const step of steps) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as Record<string, unknown>)[step];
  }
  return current;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** The largest N of the tags `<|speaker:N|>`, or -1 when there is none. */
function highestSpeaker(text: string): number {
  let highest = -1;
  for (const match of text.matchAll(/<\|speaker:(\d+)\|>/g)) highest = Math.max(highest, Number(match[1]));
  return highest;
}

function codePointsAtMost(text: string, most: number): boolean {
  // UTF-16 has at least as many units as code points and at most twice as many: mostly there is nothing to count.
  if (text.length <= most) return true;
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > most) return false;
  }
  return true;
}

function fillIn(rule: SynthesisRule, broken: RuleCondition, subject: RuleSubject): string {
  const value = valueAt(rule.field, subject);
  const field = rule.field === 'header:model' ? 'model' : rule.field.slice(1).replaceAll('/', '.');
  return rule.message
    .replaceAll('{value}', typeof value === 'object' ? JSON.stringify(value) : String(value))
    .replaceAll('{field}', field)
    .replaceAll('{allowed}', allowedBy(broken));
}

function allowedBy(condition: RuleCondition): string {
  if ('code_points_at_most' in condition) return String(condition.code_points_at_most);
  return 'in' in condition ? listed(condition.in) : '';
}
