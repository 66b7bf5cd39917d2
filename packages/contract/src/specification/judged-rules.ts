import type { Severity } from '../judge/finding.ts';
import { ruleData, specificationVersion } from './document.ts';

/** A rule of `answers.yaml`, `streams.yaml` or `relations.yaml` of the spec. */
export interface JudgedRule {
  readonly id: string;
  readonly subject: RuleSubject;
  readonly kept_by: 'service' | 'reader';
  readonly severity: Severity;
  readonly section: string;
  readonly since: string;
  readonly state?: true;
  readonly text: string;
}

export type RuleSubject =
  | 'answer'
  | 'fields'
  | 'audio'
  | 'transcription'
  | 'models'
  | 'wallet'
  | 'timestamps'
  | 'live'
  | 'exchanges';

/** The rules a service keeps, by id, in the order of the spec. */
export function serviceRules(): ReadonlyMap<string, JudgedRule> {
  const data = ruleData();
  const rules = ['answers', 'streams', 'relations'].flatMap(
    (file) => (data[file] ?? []) as readonly JudgedRule[],
  );
  return new Map(rules.filter(({ kept_by }) => kept_by === 'service').map((rule) => [rule.id, rule]));
}

/** What no answer shows, and why. */
export function unjudged(): readonly { section: string; statement: string; reason: string }[] {
  return (ruleData().unjudged ?? []) as readonly { section: string; statement: string; reason: string }[];
}

/**
 * How much a broken rule counts now.
 *
 * A rule that is newer than the first version is a warning for the minor version it came with, so that nobody's
 * check begins to fail by an update alone.
 */
export function severityOf(
  rule: Pick<JudgedRule, 'severity' | 'since'>,
  version: string = specificationVersion(),
  first: string = firstVersion(),
): Severity {
  const isNew = minorOf(rule.since) !== minorOf(first) && minorOf(rule.since) === minorOf(version);
  return isNew && rule.severity === 'error' ? 'warning' : rule.severity;
}

function firstVersion(): string {
  const versions = [...serviceRules().values()].map(({ since }) => since);
  return versions.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))[0] ?? '';
}

function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
