import type { operations, SynthesisModel, SynthesisRequest } from '@speech-api/types';
import { clientRules } from '@speech-api/types/client-rules';
import { synthesisDefaults } from '@speech-api/types/constants';
import { RequestError } from './errors.ts';

/** One condition of a rule of the specification; `at` is a JSON pointer into the body or `header:model`. */
interface Condition {
  readonly at: string;
  readonly in?: readonly unknown[];
  readonly not_in?: readonly unknown[];
  readonly is?: string;
  readonly speaker_tags_below?: string;
  readonly same_length_as?: string;
  readonly code_points_at_most?: number;
}

/** The part of a rule that matters before sending. */
interface Rule {
  readonly id: string;
  readonly field: string;
  readonly applies_to?: readonly string[];
  readonly when: readonly Condition[];
  readonly require: readonly Condition[];
  readonly message: string;
}

type Read = (at: string) => unknown;

/**
 * Throws a `RequestError` for a request that breaks a rule no type can express, before anything is sent.
 *
 * The rules are data of the specification; those that only the service can judge are left to it.
 */
export function checkSynthesis(
  operationId: keyof operations,
  request: SynthesisRequest,
  model: SynthesisModel,
): void {
  // A header that cannot be sent would be refused later, by an error that does not say which one it was.
  if (!/^[\x21-\x7e]+$/.test(model)) {
    throw new RequestError('model must be a name without spaces', { field: 'model' });
  }
  // Null counts as left out.
  const read: Read = (at) => (at === 'header:model' ? model : resolvePointer(request, at)) ?? undefined;
  for (const rule of clientRules as readonly Rule[]) {
    if (rule.applies_to && !rule.applies_to.includes(operationId)) continue;
    if (!rule.when.every((condition) => holds(condition, read))) continue;
    const broken = rule.require.find((condition) => !holds(condition, read));
    if (broken) throw refusal(rule, broken, read);
  }
}

function holds(condition: Condition, read: Read): boolean {
  const given = read(condition.at);
  if (condition.is) return isKind(condition.is, given);
  const value = given ?? (synthesisDefaults as Record<string, unknown>)[fieldOf(condition.at)] ?? undefined;
  if (value === undefined) return true;
  if (condition.in) return condition.in.includes(value);
  if (condition.not_in) return !condition.not_in.includes(value);
  if (condition.speaker_tags_below) {
    return largestSpeaker(String(value)) < lengthOf(read(condition.speaker_tags_below));
  }
  if (condition.same_length_as) return lengthOf(value) === lengthOf(read(condition.same_length_as));
  // No string has more code points than UTF-16 units, so most need no counting.
  const most = condition.code_points_at_most ?? Number.POSITIVE_INFINITY;
  return String(value).length <= most || [...String(value)].length <= most;
}

function isKind(kind: string, value: unknown): boolean {
  if (kind === 'present') return value !== undefined;
  if (kind === 'absent') return value === undefined;
  if (kind === 'string') return typeof value === 'string';
  return Array.isArray(value) && (kind === 'array' || value.every(Array.isArray));
}

function largestSpeaker(text: string): number {
  let largest = -1;
  for (const [, digits] of text.matchAll(/<\|speaker:(\d+)\|>/g)) largest = Math.max(largest, Number(digits));
  return largest;
}

function refusal(rule: Rule, broken: Condition, read: Read): RequestError {
  const field = fieldOf(rule.field);
  const allowed = broken.in
    ? broken.in.join(', ').replace(/, (?=[^,]*$)/, ' or ')
    : broken.code_points_at_most;
  const words: Record<string, unknown> = { field, allowed, value: read(rule.field) };
  const message = rule.message.replace(/\{(\w+)\}/g, (whole, name: string) => String(words[name] ?? whole));
  return new RequestError(message, { field, rule: rule.id });
}

/** The dotted name of a place: `prosody.speed` for `/prosody/speed`, `model` for `header:model`. */
function fieldOf(at: string): string {
  return at.replace(/^(\/|header:)/, '').replaceAll('/', '.');
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function resolvePointer(body: unknown, pointer: string): unknown {
  let value = body;
  for (const name of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown> | null | undefined)?.[name];
  }
  return value;
}
