import type { Exchange } from './exchange.ts';
import type { Severity } from './specification/rules.ts';

/** The code of the rules by their ids in the spec, which holds their texts, numbers and severities. */
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
  /** The exchange that shows the problem; by default the last of several. */
  readonly exchange?: Exchange | undefined;
  /** The severity, if it is lower than in the spec, such as for a rule from a public source only. */
  readonly severity?: Severity | undefined;
}

/** A chapter of the judge: rules about one subject, which say themselves what they read and when they hold. */
export interface Chapter<Source> {
  readonly ids: readonly string[];
  readonly judge: (source: Source, apply: Apply) => Promise<void>;
}

type Apply = <Subject>(rules: Rules<Subject>, subject: Subject) => void;

/**
 * Makes a chapter.
 *
 * @param read returns the subjects of the rules; none where the rules do not hold
 */
export function chapter<Source, Subject>(
  read: (source: Source) => readonly Subject[] | Promise<readonly Subject[]>,
  rules: Rules<Subject>,
): Chapter<Source> {
  return {
    ids: Object.keys(rules),
    judge: async (source, apply) => {
      for (const subject of await read(source)) apply(rules, subject);
    },
  };
}

/** The subjects that are there. */
export function present<Subject>(...subjects: readonly (Subject | undefined)[]): readonly Subject[] {
  return subjects.filter((subject) => subject !== undefined);
}

/** A verdict of one condition. */
export function unless(holds: boolean, problem: Problem): readonly Problem[] {
  return holds ? [] : [problem];
}

/** The problem of a value that differs from the expected one, or nothing. */
export function unlessEqual(actual: unknown, expected: unknown, problem: Problem): readonly Problem[] {
  return unless(actual === expected, { expected: String(expected), actual: String(actual), ...problem });
}
