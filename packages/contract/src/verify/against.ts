import { differenceOf } from '../judge/baseline.ts';
import type { Finding } from '../judge/report.ts';
import { countOf, visible, wrap } from '../report/text.ts';
import type { Budget } from './budget.ts';
import { type VerifyOptions, type VerifyReport, verify } from './verify.ts';

/** Where two servers differ that were asked the same. */
export interface Difference {
  readonly targets: readonly [string, string];
  /** What each of them breaks alone. */
  readonly alone: readonly [readonly Finding[], readonly Finding[]];
  /** Calls with another status: the name, and the status of each server. */
  readonly statuses: readonly { readonly call: string; readonly statuses: readonly [number, number] }[];
  /** Calls that both have answered. */
  readonly compared: number;
  /** Whether a run was interrupted, or could not judge a call. */
  readonly isPartial: boolean;
}

/** Half of what may be spent, for each of two servers. */
export function halfOf({ calls, characters, audioSeconds }: Budget): Budget {
  const half = (value: number) => Math.floor(value / 2);
  return { calls: half(calls), characters: half(characters), audioSeconds: half(audioSeconds) };
}

/** Plays one plan on two servers, one after the other, within one budget. */
export async function compareServers(
  options: VerifyOptions & { readonly budget: Budget },
  other: Pick<VerifyOptions, 'target' | 'key'>,
): Promise<Difference> {
  const { live: _ofTheFirst, ...common } = { ...options, budget: halfOf(options.budget) };
  const first = await verify({ ...common, ...(options.live !== undefined && { live: options.live }) });
  const second = await verify({ ...common, ...other });
  const { added, gone } = differenceOf(second.findings, first.findings);
  const statusOf = new Map(second.exchanges.map(({ name, status }) => [name, status]));
  const both = first.exchanges.flatMap(({ name, status }) => {
    const theirs = statusOf.get(name);
    return theirs === undefined ? [] : [{ call: name, statuses: [status, theirs] as const }];
  });
  return {
    targets: [options.target, other.target],
    alone: [added, gone],
    statuses: both.filter(({ statuses: [one, another] }) => one !== another),
    compared: both.length,
    isPartial: [first, second].some(isPartial),
  };
}

function isPartial({ run, circumstances }: VerifyReport): boolean {
  return run.interrupted || circumstances.length > 0;
}

/** Whether the servers differ. */
export function differs({ alone, statuses }: Difference): boolean {
  return statuses.length > 0 || alone.some(({ length }) => length > 0);
}

/** The differences for people. */
export function differenceInWords(difference: Difference, width: number): string {
  const { targets, alone, statuses, compared, isPartial: hasGaps } = difference;
  const groups = targets.flatMap((target, index) => {
    const findings = alone[index] ?? [];
    return findings.length === 0 ? [] : [`Only ${target}:`, ...findings.map(findingInWords)];
  });
  const answers = statuses.map(
    ({ call, statuses: [one, other] }) =>
      `- ${visible(call)}: ${one || 'no answer'} and ${other || 'no answer'}`,
  );
  const lines = [
    ...groups,
    ...(answers.length > 0
      ? [`Answered with another status, by ${targets.join(' and by ')}:`, ...answers]
      : []),
    `${countOf(compared, 'call')} compared: ${differs(difference) ? 'the servers differ' : 'no difference'}.`,
    ...(hasGaps ? ['Not all could be judged: no credit, no permission, a limit, or an interruption.'] : []),
  ];
  return `${lines.flatMap((line) => wrap(line, width)).join('\n')}\n`;
}

function findingInWords({ severity, rule, operationId, where, message }: Finding): string {
  const place = [rule, operationId, where].filter((part) => part !== undefined).join(' ');
  return `- ${severity} ${visible(place)}: ${visible(message)}`;
}
