import type { Exchange } from '../exchange.ts';
import type { Made } from './make-step.ts';
import { operationsOf } from './scenarios/index.ts';
import { createMemory, type Memory, type Scenario, type Step } from './step.ts';

interface RunOptions {
  /** Scenarios under way at the same time, at least 1. */
  readonly concurrency: number;
  /** Makes one step; the only way to the server. */
  readonly make: (step: Step, memory: Memory) => Promise<Made>;
  /** Further steps of a scenario that has been played. `waiting` is what is not begun; it may be shortened. */
  readonly more?: (
    scenario: Scenario,
    exchanges: readonly Exchange[],
    waiting: Scenario[],
  ) => Promise<readonly Step[]>;
  /** Returns the reason why no further step can be made, once there is one. */
  readonly stopped?: () => string | undefined;
  /** No further step is begun once it is aborted. */
  readonly signal?: AbortSignal;
}

interface Outcome {
  readonly exchanges: readonly Exchange[];
  /** Steps that could not be made, and why. */
  readonly skipped: readonly { readonly step: Step; readonly reason: string }[];
}

/** Plays scenarios, several at a time; those that see the list of voice models one after the other. */
export async function runScenarios(scenarios: readonly Scenario[], options: RunOptions): Promise<Outcome> {
  const exchanges = new Map<Step, Exchange>();
  const skipped: { step: Step; reason: string }[] = [];
  const further = new Map<Scenario, readonly Step[]>();
  const waiting = [...scenarios];
  const locked = new Set<string>();
  const wakers: (() => void)[] = [];

  await Promise.all(Array.from({ length: Math.max(1, options.concurrency) }, work));
  const stepsOf = (scenario: Scenario) => [...scenario.steps, ...(further.get(scenario) ?? [])];
  const made = scenarios.flatMap((scenario) =>
    stepsOf(scenario).flatMap((step) => exchanges.get(step) ?? []),
  );
  return { exchanges: made, skipped };

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const index = waiting.findIndex((scenario) => !locked.has(lockOf(scenario)));
      const scenario = waiting[index];
      if (scenario === undefined) {
        await new Promise<void>((resolve) => wakers.push(resolve));
        continue;
      }
      waiting.splice(index, 1);
      const lock = lockOf(scenario);
      if (lock !== '') locked.add(lock);
      try {
        await play(scenario);
      } finally {
        locked.delete(lock);
        for (const wake of wakers.splice(0)) wake();
      }
    }
  }

  async function play(scenario: Scenario): Promise<void> {
    const memory = createMemory();
    await playSteps(scenario.steps, memory);
    const seen = scenario.steps.flatMap((step) => exchanges.get(step) ?? []);
    const more = (await options.more?.(scenario, seen, waiting)) ?? [];
    further.set(scenario, more);
    await playSteps(more, memory);
  }

  async function playSteps(steps: readonly Step[], memory: Memory): Promise<void> {
    for (const step of steps) {
      const missing = step.needs?.filter((name) => !memory.has(name)) ?? [];
      const stopped = options.stopped?.();
      if (options.signal?.aborted) skipped.push({ step, reason: 'the run was interrupted' });
      else if (stopped !== undefined) skipped.push({ step, reason: stopped });
      else if (missing.length > 0) {
        skipped.push({ step, reason: `an earlier answer did not give ${missing.join(' and ')}` });
      } else {
        const made = await options.make(step, memory);
        exchanges.set(step, made.exchange);
        step.remember?.(made.exchange, memory);
      }
    }
  }
}

/** Lists change while voice models are made and deleted, so whoever looks at one has it alone. */
function lockOf(scenario: Scenario): string {
  const shared: readonly string[] = ['listModels', 'createModel', 'updateModel', 'deleteModel'];
  return operationsOf(scenario).some((id) => shared.includes(id)) ? 'voice models' : '';
}
