import { costInWords } from './describe-plan.ts';
import type { RunSummary } from './run-summary.ts';

/** What was done and what was not, for people: the last lines of a run. */
export function describeRun(run: RunSummary): string {
  const byReason = Map.groupBy(run.leftOut, ({ reason }) => reason);
  const lines = [
    `Sent ${costInWords(run.spent)} in ${(run.milliseconds / 1000).toFixed(1)} s; generated requests by --seed ${run.seed}.`,
    ...[...byReason].map(
      ([reason, entries]) => `Left out ${countOf(entries.length, 'scenario')}: ${reason}.`,
    ),
    ...run.skipped.map(({ step, reason }) => `Not made: ${step}, because ${reason}.`),
    ...(run.interrupted ? ['Interrupted: what was not sent is not judged.'] : []),
    ...(run.leftBehind.length > 0
      ? ['Left on the server, please delete by hand:', ...run.leftBehind.map((entry) => `  ${entry}`)]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
