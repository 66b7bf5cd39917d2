import { operationTable } from '@speech-api/types';
import { costOfScenario } from './cost.ts';
import { createMemory } from './memory.ts';
import type { Plan } from './plan.ts';
import { firstCall } from './preflight.ts';
import { writeCall } from './request/write-call.ts';
import type { Cost, Step } from './step.ts';
import type { Target } from './target.ts';
import { liveAddress } from './transport/hold-session.ts';

/** What a run would send and what it would cost, for people. */
export function describePlan(plan: Plan, target: Target, hasFirstCall = true): string {
  const lines = [
    'Nothing is sent. This is what would be:',
    '',
    ...(hasFirstCall ? [...describeStep(firstCall, target), ''] : []),
    ...plan.chosen.flatMap((scenario) => [
      `${scenario.name}: ${scenario.about} (${costInWords(costOfScenario(scenario))})`,
      ...scenario.steps.flatMap((step) => describeStep(step, target)),
      '',
    ]),
    `${costInWords(plan.cost)} at most, as a server bills them that does all it is asked.`,
    ...describeLeftOut(plan),
  ];
  return `${lines.join('\n')}\n`;
}

/** One line for each reason for which scenarios are left out. */
export function describeLeftOut({ leftOut }: Pick<Plan, 'leftOut'>): string[] {
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
    `${calls} ${calls === 1 ? 'call' : 'calls'}`,
    ...(characters > 0 ? [`${characters} characters`] : []),
    ...(audioSeconds > 0 ? [`${audioSeconds} seconds of audio`] : []),
  ].join(', ');
}

function describeStep(step: Step, target: Target): string[] {
  const pretend = createMemory((name) => `<${name}>`);
  if (step.kind === 'live') {
    const script = step
      .script(pretend)
      .map((action) => ('send' in action ? `send ${shorten(action.send)}` : `wait for ${action.wait}`));
    return [
      `  ${operationTable.openLiveSession.method} ${liveAddress(target.live)}`,
      ...script.map((line) => `    ${line}`),
    ];
  }
  const call = step.call(pretend);
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
