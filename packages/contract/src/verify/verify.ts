import { setTimeout } from 'node:timers/promises';
import { CannotJudge } from '../errors.ts';
import { type Exchange, responseOf } from '../exchange.ts';
import { judge } from '../judge/judge.ts';
import type { JudgeOptions, Report, RunSummary } from '../judge/report.ts';
import { refuseOldNode } from '../tool.ts';
import { type TransportLimits, whyUnreachable } from '../transport/send-call.ts';
import { addCosts, type Choice, type ChoiceOptions, chooseScenarios, costOf, noCost } from './choose.ts';
import { createCleanUp, isRefused } from './clean-up.ts';
import { createPace, type PaceOptions } from './pace.ts';
import { checkFirstCall, firstCall } from './preflight.ts';
import { type Made, makeStep, readTarget, type TargetOptions } from './request.ts';
import { createMemory, type Memory, type Step } from './step.ts';

/** Options for judging a server. */
export interface VerifyOptions
  extends TargetOptions,
    ChoiceOptions,
    PaceOptions,
    Pick<JudgeOptions, 'deterministic' | 'baseline'> {
  /** Makes one call first and gives up when it shows that nothing can be judged. @defaultValue true */
  readonly firstCall?: boolean;
  readonly transport?: Partial<TransportLimits>;
  /** After it aborts, only clean-up calls are sent. */
  readonly signal?: AbortSignal;
  /** Called after each call with the number of finished calls and the total. */
  readonly onProgress?: (done: number, all: number, name: string) => void;
}

/** Report of `verify`: the judgement, and a summary of the run. */
export interface VerifyReport extends Report {
  readonly run: RunSummary;
}

/** Deadline of a whole call, however short the pauses between its bytes are. */
export const longestCallSeconds = 120;

const transportLimits: TransportLimits = {
  idleMs: 20_000,
  totalMs: longestCallSeconds * 1000,
};

/** Time for a list to show a change: a server may answer lists from a copy that is behind for a moment. */
const secondsToSettle = 3;

/** The scenarios of a run with these options; nothing is sent. */
export function planFor(options: Omit<VerifyOptions, 'target' | 'key'>): Choice {
  return chooseScenarios(options, makesFirstCall(options) ? costOf(firstCall) : noCost);
}

/** A server without the list operation gets no first call. */
function makesFirstCall({
  firstCall: isWanted = true,
  operations = [],
  except = [],
}: Partial<VerifyOptions>) {
  const isListed = operations.length === 0 || operations.includes('listModels');
  return isWanted && isListed && !except.includes('listModels');
}

/**
 * Plays scenarios against a server, one after the other, and judges all that went over the wire.
 *
 * @throws CannotJudge when the first call shows that there is nothing to judge, and before it when this Node is too old
 * @throws UsageError when an address is invalid
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  refuseOldNode();
  const startedAt = performance.now();
  const plan = planFor(options);
  const { exchanges, skipped, ...run } = await play(plan, options);
  options.onProgress?.(run.spent.calls, run.spent.calls, 'judging what was answered');
  const { profile = 'full', deterministic, baseline, operations, except } = options;
  const report = await judge(exchanges, { profile, deterministic, baseline, operations, except });
  const untried = plan.leftOut.reduce((sum, { scenario }) => sum + scenario.steps.length, skipped.length);
  return {
    ...report,
    run: {
      ...run,
      milliseconds: Math.round(performance.now() - startedAt),
      calls: { tried: exchanges.length, known: exchanges.length + untried },
      leftOut: plan.leftOut.map(({ scenario: { name, about }, reason }) => ({
        scenario: name,
        about,
        reason,
      })),
      skipped: skipped.map(({ step, reason }) => ({ step: step.name, reason })),
      interrupted: options.signal?.aborted ?? false,
    },
  };
}

/** Sends the chosen steps, and deletes the voice models that they created. */
async function play(plan: Choice, options: VerifyOptions) {
  const { signal } = options;
  const target = readTarget(options);
  const limits = { ...transportLimits, ...options.transport };
  const cleanUp = createCleanUp(target, limits);
  const pace = createPace(options, signal);
  const exchanges: Exchange[] = [];
  const skipped: { step: Step; reason: string }[] = [];
  let sentAgain = 0;
  let spent = noCost;
  let stopped: string | undefined;
  let isLiveSilent = false;

  const make = async (step: Step, memory: Memory): Promise<Made> => {
    // A conditional deletion is only counted if it is made: a server that refuses has nothing to delete.
    spent = addCosts(spent, { ...costOf(step), calls: 1 });
    await pace.enter();
    // A server that was asleep needs longer for the first answer.
    const patience =
      step === firstCall ? { ...limits, idleMs: Math.max(limits.idleMs, limits.totalMs) } : limits;
    let made = await makeStep(step, memory, target, patience, signal);
    for (let attempt = 1; await pace.again(made.exchange, attempt); attempt += 1) {
      sentAgain += 1;
      made = await makeStep(step, memory, target, limits, signal);
    }
    cleanUp.note(made.exchange, made.failure);
    options.onProgress?.(spent.calls, plan.cost.calls, step.name);
    return made;
  };

  const playSteps = async (steps: readonly Step[]): Promise<void> => {
    const memory = createMemory();
    for (const step of steps) {
      const missing = step.needs?.filter((name) => !memory.has(name)) ?? [];
      const reason =
        signal?.aborted === true
          ? 'the run was interrupted'
          : missing.length > 0 && stopped === undefined
            ? `an earlier answer did not give ${missing.join(' and ')}`
            : (stopped ??
              (isLiveSilent && step.kind === 'live' ? 'an earlier session got no finish' : undefined));
      if (reason !== undefined) {
        skipped.push({ step, reason });
        continue;
      }
      if (step.waitsWhere !== undefined && memory.has(step.waitsWhere))
        await setTimeout(secondsToSettle * 1000, undefined, signal && { signal }).catch(() => {});
      const { exchange, failure } = await make(step, memory);
      if (exchanges.length === 0 && failure !== undefined && isRefused(failure))
        throw new CannotJudge(whyUnreachable(failure, target.base), 'no-server');
      // An exchange that the judge itself broke off says nothing about the server.
      if (signal?.aborted === true && responseOf(exchange).ended !== 'complete') continue;
      if (isRefused(failure)) stopped = `the server stopped listening after call ${exchanges.length}`;
      if (responseOf(exchange).status === 402) stopped = 'the account has no credit';
      isLiveSilent ||= exchange.kind === 'live' && (exchange.unanswered ?? []).includes('finish');
      exchanges.push(exchange);
      step.remember?.(exchange, memory);
    }
  };

  let leftBehind: readonly string[] = [];
  try {
    if (makesFirstCall(options)) {
      const first = await make(firstCall, createMemory());
      checkFirstCall(first, target);
      exchanges.push(first.exchange);
    }
    for (const { steps } of plan.chosen) await playSteps(steps);
  } finally {
    leftBehind = await cleanUp.finish();
    spent = addCosts(spent, { ...noCost, calls: cleanUp.calls });
  }
  return { exchanges, skipped, spent, leftBehind, waited: { seconds: pace.waitedSeconds, calls: sentAgain } };
}
