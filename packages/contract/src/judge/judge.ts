import type { Exchange } from '../exchange/exchange.ts';
import type { JudgeOptions } from './options.ts';
import type { Report } from './report.ts';

/** Judges exchanges by every rule of the spec that a server keeps. */
export async function judge(_exchanges: readonly Exchange[], _options: JudgeOptions = {}): Promise<Report> {
  throw new Error('The judge has no rules yet.');
}
