import type { Provenance } from './data.ts';

/** A rule of synthesis.yaml. */
export interface Rule {
  readonly id: string;
  readonly section: string;
  readonly field: string;
  readonly applies_to?: readonly string[];
  readonly when: readonly Condition[];
  readonly require: readonly Condition[];
  readonly message: string;
  readonly enforced_by: readonly ('client' | 'server')[];
  readonly tolerated_by?: string;
  readonly refusal?: string;
  readonly effect: 'refuse' | 'ignore';
  readonly provenance?: Provenance;
}

export interface Condition {
  readonly at: string;
  readonly in?: readonly unknown[];
  readonly not_in?: readonly unknown[];
  readonly is?: 'present' | 'absent' | 'string' | 'array' | 'array-of-arrays';
  readonly speaker_tags_below?: string;
  readonly same_length_as?: string;
  readonly code_points_at_most?: number;
}

/** A body and its headers, with the defaults of the specification for what they leave out. */
export interface Situation {
  readonly body: object;
  readonly model: string | undefined;
  readonly defaults: object;
  readonly defaultModel: string;
}

/**
 * The rules that a request breaks, and their messages.
 * The plainest reading of the language, to judge the fixtures by: the client and the servers each have their own.
 */
export function brokenRules(rules: readonly Rule[], situation: Situation): { rule: Rule; message: string }[] {
  return rules.flatMap((rule) => {
    if (!rule.when.every((condition) => holds(condition, situation))) return [];
    const broken = rule.require.find((condition) => !holds(condition, situation));
    if (broken === undefined) return [];
    const words: { readonly [name: string]: string } = {
      value: String(valueAt(rule.field, situation)),
      field: rule.field.replace('header:', '').replace(/^\//, ''),
      allowed: allowedBy(broken),
    };
    return [{ rule, message: rule.message.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '') }];
  });
}

function holds(condition: Condition, situation: Situation): boolean {
  // `is` asks for what was sent; everything else is read with the defaults of the specification.
  const value = valueAt(condition.at, condition.is ? { ...situation, defaults: {} } : situation);
  if (condition.is === 'present') return value !== undefined;
  if (condition.is === 'absent') return value === undefined;
  if (condition.is === 'string') return typeof value === 'string';
  if (condition.is === 'array') return Array.isArray(value);
  if (condition.is === 'array-of-arrays') {
    return Array.isArray(value) && value.every((entry) => Array.isArray(entry));
  }
  if (value === undefined) return true;
  if (condition.in) return condition.in.includes(value);
  if (condition.not_in) return !condition.not_in.includes(value);
  if (condition.code_points_at_most !== undefined) {
    return [...String(value)].length <= condition.code_points_at_most;
  }
  if (condition.same_length_as !== undefined) {
    return lengthAt(condition.at, situation) === lengthAt(condition.same_length_as, situation);
  }
  if (condition.speaker_tags_below !== undefined) {
    const tags = [...String(value).matchAll(/<\|speaker:(\d+)\|>/g)].map((tag) => Number(tag[1]));
    return Math.max(-1, ...tags) < lengthAt(condition.speaker_tags_below, situation);
  }
  throw new TypeError(`The condition at ${condition.at} tests nothing.`);
}

function valueAt(place: string, { body, model, defaults, defaultModel }: Situation): unknown {
  if (place === 'header:model') return model ?? defaultModel;
  const find = (from: unknown) =>
    place
      .slice(1)
      .split('/')
      .reduce<unknown>((inside, key) => (inside as Record<string, unknown> | undefined)?.[key], from);
  return find(body) ?? find(defaults) ?? undefined;
}

function lengthAt(place: string, situation: Situation): number {
  const value = valueAt(place, situation);
  return Array.isArray(value) ? value.length : 0;
}

function allowedBy(condition: Condition): string {
  const values = (condition.in ?? []).map(String);
  if (values.length === 0) return String(condition.code_points_at_most ?? '');
  return values.length === 1 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
