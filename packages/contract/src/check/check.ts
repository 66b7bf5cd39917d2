import { CannotJudge } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { judge } from '../judge/judge.ts';
import type { JudgeOptions, Report } from '../judge/report.ts';
import { deriveExpectation } from '../subjects/request-break.ts';
import { readRecording } from './recordings.ts';
import { type SendOptions, sendAgain } from './send.ts';

/** The report of `check`: the judgement, and what was skipped. */
export interface CheckReport extends Report {
  readonly recordings: {
    readonly files: readonly string[];
    /** Entries of other services, and those that got no answer. */
    readonly ignored: number;
  };
}

/** How recordings are judged. */
export interface CheckOptions extends JudgeOptions {
  /** Sends the GET calls again, and judges what is answered now instead of what was recorded. */
  readonly send?: SendOptions;
}

/**
 * Judges recorded traffic, HAR files and transcripts of the spec, without a server.
 *
 * @throws CannotJudge when a file can't be read, or none of them holds a call of the API
 */
export async function check(files: readonly string[], options: CheckOptions = {}): Promise<CheckReport> {
  const { send, ...judging } = options;
  const exchanges: Exchange[] = [];
  let ignored = 0;
  for (const file of files) {
    const recording = await readRecording(file);
    ignored += recording.ignored;
    for (const exchange of recording.exchanges) exchanges.push(await deriveExpectation(exchange));
  }
  if (exchanges.length === 0) {
    const found =
      ignored === 0 ? 'it has no entries' : `its ${ignored} entries are for other services or have no answer`;
    throw new CannotJudge(`There is no call of the speech API in ${files.join(', ')}: ${found}.`);
  }
  const report = await judge(send === undefined ? exchanges : await sendAgain(exchanges, send), judging);
  return { ...report, recordings: { files, ignored } };
}
