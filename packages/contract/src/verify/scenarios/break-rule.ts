import {
  audioFormats,
  defaultModel,
  type RuleCondition,
  type RulePlace,
  type RuleValue,
  type SynthesisRule,
  sampleRates,
  synthesisModels,
} from '@speech-api/types';
import type { Fields } from '../step.ts';

/** A synthesis request that breaks one rule and nothing else. */
interface BrokenRule {
  readonly model: string;
  readonly fields: Fields;
}

/** Material for the request. */
interface BreakMaterial {
  readonly text: string;
  /** A recording for inline samples. */
  readonly audio: Uint8Array;
  /** Ids or names of two voices. */
  readonly voices: readonly string[];
}

/**
 * Makes a request that breaks a rule: all of `when` hold, the first of `require` does not.
 *
 * @throws Error when the rule is written in words that are not known here
 */
export function breakRule(rule: SynthesisRule, material: BreakMaterial): BrokenRule {
  const request: Draft = { model: defaultModel, fields: { text: material.text } };
  for (const condition of rule.when) hold(condition, request, material);
  const [requirement] = rule.require;
  if (requirement === undefined) throw new Error(`the rule ${rule.id} requires nothing`);
  violate(requirement, rule, request, material);
  return request;
}

interface Draft {
  model: string;
  fields: Record<string, unknown>;
}

function hold(condition: RuleCondition, request: Draft, material: BreakMaterial): void {
  if ('in' in condition) put(condition.at, condition.in[0], request);
  else if ('not_in' in condition) put(condition.at, otherValue(condition.at, condition.not_in), request);
  else if ('is' in condition) {
    const value = valueOfKind(condition.is, condition.at, material);
    if (value !== undefined) put(condition.at, value, request);
    // Ids of a dialogue may be arbitrary where samples come along; which ids a server knows is not what is tried.
    if (condition.is === 'array' && condition.at === '/reference_id') {
      request.fields.references = material.voices.map(() => [{ audio: material.audio, text: material.text }]);
    }
  } else throw new Error(`no way to keep ${JSON.stringify(condition)}`);
}

function violate(
  condition: RuleCondition,
  rule: SynthesisRule,
  request: Draft,
  material: BreakMaterial,
): void {
  const { at } = condition;
  if ('in' in condition) {
    const taken = rule.when.flatMap((other) => (other.at === at && 'not_in' in other ? other.not_in : []));
    put(at, otherValue(at, [...condition.in, ...taken]), request);
  } else if ('not_in' in condition) put(at, condition.not_in[0], request);
  else if ('speaker_tags_below' in condition) {
    put(at, `<|speaker:0|>${material.text}<|speaker:${material.voices.length}|>${material.text}`, request);
  } else if ('same_length_as' in condition) {
    put(condition.same_length_as, material.voices, request);
    put(at, [[{ audio: material.audio, text: material.text }]], request);
  } else if ('code_points_at_most' in condition) {
    put(at, 'a'.repeat(condition.code_points_at_most + 1), request);
  } else throw new Error(`no way to break ${JSON.stringify(condition)}`);
}

function valueOfKind(kind: string, at: RulePlace, material: BreakMaterial): unknown {
  if (kind === 'absent' || (kind === 'present' && at === '/sample_rate')) return undefined;
  if (kind === 'array') return material.voices;
  if (kind === 'array-of-arrays') return [[{ audio: material.audio, text: material.text }]];
  throw new Error(`no value for ${at} that is ${kind}`);
}

/** A value that the schema allows at this place and that is not one of these. */
function otherValue(at: RulePlace, but: readonly RuleValue[]): RuleValue {
  const known: Partial<Record<RulePlace, readonly RuleValue[]>> = {
    'header:model': synthesisModels,
    '/format': audioFormats,
    '/sample_rate': Object.values(sampleRates).flat(),
  };
  const value = known[at]?.find((candidate) => !but.includes(candidate));
  if (value === undefined) throw new Error(`no other value is known for ${at}`);
  return value;
}

function put(at: RulePlace, value: unknown, request: Draft): void {
  if (at === 'header:model') request.model = String(value);
  else request.fields[at.slice(1)] = value;
}
