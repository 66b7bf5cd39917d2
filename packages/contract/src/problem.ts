import type { Exchange } from './exchange.ts';
import type { Severity } from './specification/rules.ts';

/** The code of rules by their ids in the spec, where their words, their numbers and their severity are. */
export type Rules<Subject> = Readonly<Record<string, (subject: Subject, limit: Limit) => Verdict>>;

/** A number of the rule, by its name among its `limits` in the spec. */
type Limit = (name: string) => number;

/** `undefined` if the rule does not apply to the subject; empty if the rule is kept. */
export type Verdict = readonly Problem[] | undefined;

/** A breach of a rule, described in the words of the rule. */
export interface Problem {
  readonly message: string;
  readonly where?: string | undefined;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** Of several exchanges the one that it shows in; otherwise the last. */
  readonly exchange?: Exchange | undefined;
  /** Severity of a breach that counts less than the spec says, such as one of a public source alone. */
  readonly severity?: Severity | undefined;
}

/** A verdict of one condition. */
export function unless(holds: boolean, problem: Problem): readonly Problem[] {
  return holds ? [] : [problem];
}

/** The problem that a value is not the expected one, or nothing. */
export function unlessEqual(actual: unknown, expected: unknown, problem: Problem): readonly Problem[] {
  return unless(actual === expected, { expected: String(expected), actual: String(actual), ...problem });
}
