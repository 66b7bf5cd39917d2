import type { Exchange } from '../exchange/exchange.ts';
import type { Severity } from './finding.ts';

/** How one rule of the spec is judged. */
export interface Rule<Subject> {
  /** As in the spec, where its words and its severity stand. */
  readonly id: string;
  /** `undefined` where the rule says nothing about this subject; empty where it is kept. */
  readonly judge: (subject: Subject) => Verdict;
}

export type Verdict = readonly Problem[] | undefined;

/** What is wrong, in the words of the rule. */
export interface Problem {
  readonly message: string;
  readonly where?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** Of several exchanges the one that it shows in; otherwise the last. */
  readonly exchange?: Exchange;
  /** Where one breach of a rule counts less than the spec says, such as what only public sources document. */
  readonly severity?: Severity;
}

/** A verdict of one condition. */
export function unless(holds: boolean, problem: Problem): readonly Problem[] {
  return holds ? [] : [problem];
}
