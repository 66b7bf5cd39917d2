import { CannotJudge } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { judge } from '../judge/judge.ts';
import type { JudgeOptions, Report } from '../judge/report.ts';
import { deriveExpectation } from '../subjects/request-break.ts';
import { readRecording } from './recordings.ts';

/** The report of `check`: the judgement, and what was skipped. */
export interface CheckReport extends Report {
  readonly recordings: {
    readonly files: readonly string[];
    /** Entries of other services. */
    readonly ignored: number;
    /** Answers, or their bodies, that the recording lacks, and bodies in an encoding that is not read. They are not judged. */
    readonly gaps: number;
  };
}

/** How recordings are judged. */
export interface CheckOptions extends JudgeOptions {
  /** Base address of the server. @defaultValue that of the first call with a key */
  readonly base?: string;
}

/**
 * Judges recorded traffic, HAR files and transcripts of the spec, without a server.
 *
 * @throws CannotJudge when a file can't be read, or none of them holds a call of the API
 */
export async function check(files: readonly string[], options: CheckOptions = {}): Promise<CheckReport> {
  const { base, ...judging } = options;
  const exchanges: Exchange[] = [];
  const whole = new Set<Exchange>();
  let ignored = 0;
  let gaps = 0;
  for (const file of files) {
    const recording = await readRecording(file, base);
    ignored += recording.ignored;
    gaps += recording.gaps;
    for (const recorded of recording.exchanges) {
      const exchange = await deriveExpectation(recorded);
      exchanges.push(exchange);
      if (recording.isOurs) whole.add(exchange);
    }
  }
  if (exchanges.length === 0) {
    const why =
      ignored + gaps === 0
        ? 'it has no entries'
        : `${ignored} of its entries are for other services, and ${gaps} have no answer`;
    throw new CannotJudge(`There is no call of the speech API in ${files.join(', ')}: ${why}.`);
  }
  const report = await judge(exchanges, { ...judging, judgesRequest: (exchange) => whole.has(exchange) });
  return { ...report, recordings: { files, ignored, gaps } };
}
