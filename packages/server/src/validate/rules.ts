import { defaultModel } from '@speech-api/types';
import { type Rule, rules } from '../generated/rules.ts';

/** The request that a rule is about. Its schema has been checked before. */
export interface RuleSubject {
  readonly body: unknown;
  /** The model header, if there is one. */
  readonly model: string | undefined;
  /** Some rules are for some operations only. */
  readonly operationId: string;
}

/** A rule that a request breaks, and the message that says so. */
export interface BrokenRule {
  readonly rule: Rule;
  readonly message: string;
}

/**
 * The first rule of the specification that a server must refuse the request for.
 *
 * @param skipped ids of tolerances whose rules do not count
 */
export function findBrokenRule(
  { body, model = defaultModel, operationId }: RuleSubject,
  skipped: ReadonlySet<string> = new Set(),
): BrokenRule | undefined {
  const request = typeof body === 'object' && body !== null ? { ...body } : {};
  for (const rule of rules) {
    if (rule.applies_to && !rule.applies_to.includes(operationId)) continue;
    if (rule.tolerated_by !== undefined && skipped.has(rule.tolerated_by)) continue;
    const message = rule.check(request, model);
    if (message !== undefined) return { rule, message };
  }
  return undefined;
}
