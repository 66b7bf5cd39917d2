import type { Exchange } from '../../exchange/exchange.ts';
import type { JudgeOptions } from '../../judge/options.ts';

/** What keeps a rule and what breaks it. */
export interface Example {
  /** Its id in the spec. */
  readonly rule: string;
  /** What is special, where a rule has several examples. */
  readonly about?: string;
  readonly keeps: readonly Exchange[];
  readonly breaks: readonly Exchange[];
  readonly options?: JudgeOptions;
}
