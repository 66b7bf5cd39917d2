import { type OperationId, refusals } from '@speech-api/types';
import type { Expectation } from '../exchange.ts';
import { register, ruleData } from './document.ts';

/** A rule of `answers.yaml`, `streams.yaml`, `relations.yaml` or `requests.yaml` of the spec. */
export interface JudgedRule {
  readonly id: string;
  readonly subject: RuleSubject;
  readonly kept_by: 'service' | 'reader' | 'client';
  readonly severity: Severity;
  readonly section: string;
  readonly since: string;
  readonly state?: true;
  /** The operations for which the interface states the rule; a breach elsewhere is a warning. */
  readonly operations?: readonly OperationId[];
  /** True if the rule measures lengths, loudness or rates, which may fail by chance: a warning, reported once. */
  readonly measured?: true;
  /** The numbers of the rule by name. Its text states them and its code reads them. */
  readonly limits?: Readonly<Record<string, number>>;
  readonly text: string;
  /** The sentence of the interface that states the rule. Without one, no breach of it is an error. */
  readonly quote?: string;
  /** Origin of the rule, if the interface does not state it. */
  readonly provenance?: { readonly unknown: string; readonly from: 'public' | 'assumed' };
}

/** `drift` is an addition that clients tolerate, such as an unknown field: reported, never a failure. */
export type Severity = 'error' | 'warning' | 'drift';

export type RuleSubject =
  | 'answer'
  | 'fields'
  | 'audio'
  | 'transcription'
  | 'models'
  | 'wallet'
  | 'timestamps'
  | 'live'
  | 'exchanges'
  | 'request';

/** The rules a service keeps, by id, in the order of the spec. */
export function serviceRules(): ReadonlyMap<string, JudgedRule> {
  return rulesKeptBy('service');
}

/** The rules of what a client sends, by id. */
export function clientRules(): ReadonlyMap<string, JudgedRule> {
  return rulesKeptBy('client');
}

function rulesKeptBy(side: JudgedRule['kept_by']): ReadonlyMap<string, JudgedRule> {
  const data = ruleData();
  const rules = ['answers', 'streams', 'relations', 'requests'].flatMap(
    (name) => (data[name] ?? []) as readonly JudgedRule[],
  );
  return new Map(rules.filter(({ kept_by }) => kept_by === side).map((rule) => [rule.id, rule]));
}

/** The sentence of the interface that states a rule, or its other source. */
export function groundOf({ quote, provenance, severity, measured }: JudgedRule): string {
  if (quote !== undefined) return `The interface: "${quote}"`;
  if (severity === 'drift') return 'Clients tolerate additions.';
  if (measured === true) return 'It is measured, which chance may break.';
  const entry = register().find(({ id }) => id === provenance?.unknown);
  if (provenance === undefined || entry === undefined)
    return 'No sentence of the interface alone: it follows from what the section says.';
  const source = provenance.from === 'public' ? 'Public documentation' : 'An assumption of the specification';
  return `${source}, ${entry.id} in spec/unknowns.yaml: ${entry.choice}`;
}

/** Statements that no answer shows, and why. */
export function unjudged(): readonly { section: string; statement: string; reason: string }[] {
  return (ruleData().unjudged ?? []) as readonly { section: string; statement: string; reason: string }[];
}

/** A refusal in the spec: an entry of `rules/refusals.yaml`. */
interface RefusalEntry {
  readonly id: string;
  readonly status: number;
  readonly body: 'general' | 'validation';
}

/** The entries by these ids; one that the spec does not have is left out. */
export function refusalEntries(ids: readonly string[]): readonly RefusalEntry[] {
  const entries: readonly RefusalEntry[] = refusals;
  return entries.filter(({ id }) => ids.includes(id));
}

/** The refusals of a missing or wrong key. */
export const keyRefusals: readonly string[] = ['key-missing', 'key-unknown'];

/** True if only the key of the request is wrong. */
export function isAboutTheKey(expectation: Expectation | undefined): boolean {
  return expectation?.outcome === 'refused' && expectation.refusals.every((id) => keyRefusals.includes(id));
}
