import { operationTable } from '@speech-api/types';
import type { Surroundings } from '../command/command.ts';
import type { Cost, RunSummary } from '../judge/report.ts';
import { countOf } from '../report/text.ts';
import { liveAddress } from '../transport/hold-session.ts';
import { addCosts, type Choice, costOf, noCost } from './choose.ts';
import { firstCall, type Target } from './preflight.ts';
import { writeCall } from './request.ts';
import { pretended, type Step } from './step.ts';

/** Describes for people what a run would send and what it would cost. */
export function describePlan(plan: Choice, target: Target): string {
  const lines = [
    'Nothing is sent. A run would send:',
    '',
    ...describeStep(firstCall, target),
    '',
    ...plan.chosen.flatMap((scenario) => [
      `${scenario.name}: ${scenario.about} (${costInWords(scenario.steps.map(costOf).reduce(addCosts, noCost))})`,
      ...scenario.steps.flatMap((step) => describeStep(step, target)),
      '',
    ]),
    `${costInWords(plan.cost)} at most, if the server does everything that it is asked.`,
    ...describeLeftOut(plan),
  ];
  return `${lines.join('\n')}\n`;
}

/** One line for each reason for which scenarios are left out. */
function describeLeftOut({ leftOut }: Pick<Choice, 'leftOut'>): string[] {
  const byReason = Map.groupBy(leftOut, ({ reason }) => reason);
  return [...byReason].map(([reason, entries]) => {
    const names = entries.map(({ scenario }) => scenario.name);
    const shown =
      names.length > 6 ? `${names.slice(0, 6).join(', ')} and ${names.length - 6} more` : names.join(', ');
    return `Left out, because ${reason}: ${shown}.`;
  });
}

export function costInWords({ calls, characters, audioSeconds }: Cost): string {
  return [
    countOf(calls, 'call'),
    ...(characters > 0 ? [`${characters} characters`] : []),
    ...(audioSeconds > 0 ? [`${audioSeconds} seconds of audio`] : []),
  ].join(', ');
}

function describeStep(step: Step, target: Target): string[] {
  if (step.kind === 'live') {
    const script = step
      .script(pretended)
      .map((action) => ('send' in action ? `send ${shorten(action.send)}` : `wait for ${action.wait}`));
    return [
      `  ${operationTable.openLiveSession.method} ${liveAddress(target.live)}`,
      ...script.map((line) => `    ${line}`),
    ];
  }
  const call = step.call(pretended);
  const { method, url, headers, body } = writeCall(step.operationId, call, target);
  const type = headers['content-type']?.split(';')[0];
  return [
    `  ${method} ${decodeURI(url)}${type === undefined ? '' : ` ${type}`}`,
    ...(call.fields === undefined ? [] : [`    ${shorten(call.fields)}`]),
    ...(call.fields === undefined && body !== undefined ? [`    ${body.length} bytes`] : []),
  ];
}

const shownCharacters = 160;

function shorten(value: unknown): string {
  const text = JSON.stringify(withoutBytes(value)) ?? '';
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}...` : text;
}

function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return `<${value.length} bytes>`;
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutBytes(inner)]));
}

/** Describes for people what was done and what was not: the last lines of a run. */
export function describeRun(run: RunSummary): string {
  const byReason = Map.groupBy(run.leftOut, ({ reason }) => reason);
  const lines = [
    `Sent ${costInWords(run.spent)} in ${(run.milliseconds / 1000).toFixed(1)} s.`,
    ...(run.waited.calls > 0
      ? [
          `Waited ${run.waited.seconds} s at the server's request, then sent ${countOf(run.waited.calls, 'call')} again.`,
        ]
      : []),
    ...[...byReason].map(
      ([reason, entries]) => `Left out ${countOf(entries.length, 'scenario')}: ${reason}.`,
    ),
    ...[...Map.groupBy(run.skipped, ({ reason }) => reason)].map(
      ([reason, entries]) =>
        `Not made: ${entries.length > 6 ? countOf(entries.length, 'call') : entries.map(({ step }) => step).join('; ')}, because ${reason}.`,
    ),
    ...(run.interrupted ? ['Interrupted: what was not sent is not judged.'] : []),
    ...(run.leftBehind.length > 0
      ? ['Left on the server, please delete by hand:', ...run.leftBehind.map((entry) => `  ${entry}`)]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** One line that is written over and over while a run is under way. */
interface Progress {
  show(done: number, all: number, name: string): void;
  /** Takes the line away. */
  clear(): void;
}

/** @param wanted false if the output is not a terminal, such as a file: then nothing is written */
export function createProgress(
  { error, width }: Pick<Surroundings, 'error' | 'width'>,
  wanted: boolean,
): Progress {
  if (!wanted) return { show: () => {}, clear: () => {} };
  const widest = Math.max(20, width - 1);
  return {
    show(done, all, name) {
      const line = `${String(done).padStart(String(all).length)} of ${all}  ${name}`;
      error(`\r${line.slice(0, widest).padEnd(widest)}`);
    },
    clear: () => error(`\r${' '.repeat(widest)}\r`),
  };
}
