import type { Exchange } from '../exchange.ts';
import { judge } from '../judge/judge.ts';
import {
  defaultBudget,
  type JudgeOptions,
  type Profile,
  type Report,
  type RunSummary,
} from '../judge/report.ts';
import type { TransportLimits } from '../transport/send-call.ts';
import { doubtful } from './ask-again.ts';
import { addCosts, type Budget, costOf, createPurse, noCost } from './budget.ts';
import { createCleanUp } from './clean-up.ts';
import { generatedScenarios } from './generate/generated-scenarios.ts';
import { watchListening } from './listening.ts';
import { type Made, makeStep } from './make-step.ts';
import { coveredBy, notTried } from './not-tried.ts';
import { createPace, type PaceOptions } from './pace.ts';
import { type LeftOut, makePlan, type Plan } from './plan.ts';
import { checkFirstCall, firstCall, readTarget, type TargetOptions } from './preflight.ts';
import { runScenarios } from './run-scenarios.ts';
import { keyScenarios } from './scenarios/every-operation.ts';
import { writtenScenarios } from './scenarios/index.ts';
import { type Memory, pretended, type Scenario, type Step } from './step.ts';

/** Options for judging a server. */
export interface VerifyOptions
  extends TargetOptions,
    PaceOptions,
    Pick<JudgeOptions, 'deterministic' | 'baseline' | 'decodeDeadlineMs'> {
  /** @defaultValue 'full' */
  readonly profile?: Profile;
  /** Names of scenarios; one that ends in `*` is a beginning. All when left out or empty. */
  readonly only?: readonly string[];
  /** Maximum cost of the run. @defaultValue 75 calls, 2000 characters, 60 seconds of audio */
  readonly budget?: Partial<Budget>;
  /** Changes no voice model. Speech and transcriptions are made all the same. @defaultValue false */
  readonly readOnly?: boolean;
  /** Scenarios under way at the same time. @defaultValue 4 */
  readonly concurrency?: number;
  /** Chooses the generated cases. @defaultValue 1 */
  readonly seed?: number;
  /** Makes one call first and gives up when it shows that nothing can be judged. @defaultValue true */
  readonly firstCall?: boolean;
  readonly limits?: Partial<TransportLimits>;
  /** Once aborted, nothing more is sent but what cleans up. */
  readonly signal?: AbortSignal;
  /** Told after each call: how many are done, and of how many. */
  readonly onProgress?: (done: number, all: number, name: string) => void;
}

/** A whole call ends after this, however small the pauses between its bytes are. */
export const longestCallSeconds = 120;

const defaultLimits: TransportLimits = {
  idleMs: 20_000,
  totalMs: longestCallSeconds * 1000,
  bodyBytes: 64 * 1024 * 1024,
};
const defaultConcurrency = 4;
const defaultSeed = 1;

/** All scenarios, those that a seed chooses included. */
export function scenariosFor(seed: number): readonly Scenario[] {
  if (latest?.seed !== seed) latest = { seed, generated: generatedScenarios(seed) };
  return [...writtenScenarios, ...keyScenarios(seed), ...latest.generated];
}

/** Kept for the next run: repeated runs use the same seed, and generating takes longer than a small run. */
let latest: { readonly seed: number; readonly generated: readonly Scenario[] } | undefined;

/** The plan of `verify` with these options; nothing is sent. */
export function planFor(options: Omit<VerifyOptions, 'target' | 'key'>): Plan {
  const { budget, profile = 'full', readOnly = false, only, seed = defaultSeed } = options;
  return makePlan(scenariosFor(seed), {
    budget: { ...defaultBudget, ...budget },
    profile,
    readOnly,
    spent: options.firstCall === false ? noCost : costOf(firstCall),
    ...(only !== undefined && { only }),
  });
}

/**
 * Plays scenarios against a server and judges all that went over the wire.
 *
 * @throws CannotJudge when the first call shows that there is nothing to judge
 * @throws UsageError when an address is invalid
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const startedAt = performance.now();
  const plan = planFor(options);
  const played = await play(plan, options);
  options.onProgress?.(played.spent.calls, played.spent.calls, 'judging what was answered');
  const { exchanges, skipped } = played;
  const leftOut = [...played.givenUp, ...plan.leftOut];
  const report = await judge(exchanges, {
    ...judgingOf(options),
    notTried: [...skipped.flatMap(({ step, reason }) => coveredBy(step, reason)), ...notTried(leftOut)],
  });
  const left = leftOut.reduce((sum, { scenario }) => sum + scenario.steps.length, 0);
  return {
    ...report,
    run: {
      seed: options.seed ?? defaultSeed,
      spent: played.spent,
      waited: played.waited,
      milliseconds: Math.round(performance.now() - startedAt),
      calls: { tried: exchanges.length, known: exchanges.length + left },
      leftOut: leftOut.map(({ scenario: { name, about }, reason }) => ({
        scenario: name,
        about,
        reason,
      })),
      skipped: skipped.map(({ step, reason }) => ({ step: step.name, reason })),
      leftBehind: played.leftBehind,
      interrupted: options.signal?.aborted ?? false,
    },
  };
}

function judgingOf({
  profile = 'full',
  deterministic,
  baseline,
  decodeDeadlineMs,
}: VerifyOptions): JudgeOptions {
  return { profile, deterministic, baseline, decodeDeadlineMs };
}

/** Exchanges of a run, in the order of the plan. */
export interface Played extends Pick<RunSummary, 'spent' | 'waited' | 'leftBehind'> {
  readonly exchanges: readonly Exchange[];
  readonly skipped: readonly { readonly step: Step; readonly reason: string }[];
  /** Planned, and not begun after all. */
  readonly givenUp: readonly LeftOut[];
}

/** Sends what a plan has chosen, and deletes what was made for it. Judges only to ask again where a measurement leaves doubt. */
export async function play(plan: Plan, options: VerifyOptions): Promise<Played> {
  const { signal } = options;
  const target = readTarget(options);
  const limits = { ...defaultLimits, ...options.limits };
  const cleanUp = createCleanUp(target, limits);
  const listener = watchListening();
  const pace = createPace(options, signal);
  let sentAgain = 0;
  let spent = noCost;
  // An exchange that we broke off ourselves does not show anything about the server.
  const brokenOff = new Set<Exchange>();
  const make = async (step: Step, memory: Memory): Promise<Made> => {
    // A deletion that a step may bring about counts where it is made: a server that refuses has nothing to delete.
    spent = addCosts(spent, { ...costOf(step), calls: 1 });
    const note = listener.begin();
    await pace.enter();
    let made = await makeStep(step, memory, target, limits, signal);
    for (let attempt = 1; await pace.again(made.exchange, attempt); attempt += 1) {
      sentAgain += 1;
      made = await makeStep(step, memory, target, limits, signal);
    }
    cleanUp.note(made.exchange, made.failure);
    note(made);
    if (signal?.aborted === true && !cameWhole(made.exchange)) brokenOff.add(made.exchange);
    options.onProgress?.(spent.calls, plan.cost.calls, step.name);
    return made;
  };
  const purse = createPurse(plan.cost, { ...defaultBudget, ...options.budget });
  const exchanges: Exchange[] = [];
  let skipped: Played['skipped'] = [];
  let leftBehind: readonly string[] = [];
  try {
    if (options.firstCall !== false) {
      const first = await make(firstCall, pretended);
      checkFirstCall(first, target);
      exchanges.push(first.exchange);
    }
    const outcome = await runScenarios(plan.chosen, {
      make,
      concurrency: options.concurrency ?? defaultConcurrency,
      more: async (scenario, seen, waiting) => {
        const steps = await doubtful(scenario, seen, judgingOf(options));
        return steps.length > 0 && purse.take(steps, waiting) ? steps : [];
      },
      stopped: listener.stopped,
      ...(signal !== undefined && { signal }),
    });
    const whole = outcome.exchanges.filter((exchange) => !brokenOff.has(exchange));
    exchanges.push(...whole.flatMap(listener.explain));
    skipped = outcome.skipped;
  } finally {
    leftBehind = await cleanUp.finish();
    spent = addCosts(spent, { ...noCost, calls: cleanUp.calls });
  }
  const waited = { seconds: pace.waitedSeconds, calls: sentAgain };
  return { exchanges, skipped, spent, leftBehind, waited, givenUp: purse.givenUp };
}

function cameWhole(exchange: Exchange): boolean {
  return exchange.kind === 'http' && exchange.response.status > 0 && exchange.response.ended === 'complete';
}

/** Report of `verify`: the judgement, and a summary of the run. */
export interface VerifyReport extends Report {
  readonly run: RunSummary;
}
