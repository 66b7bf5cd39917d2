import { expect, test } from 'vitest';
import type { HttpExchange } from '../exchange.ts';
import type { Made } from './make-step.ts';
import { runScenarios } from './run-scenarios.ts';
import { call } from './scenarios/making.ts';
import type { CallStep, Scenario, Step } from './step.ts';

function answer(step: Step): Made {
  const exchange: HttpExchange = {
    kind: 'http',
    name: step.name,
    request: { method: 'GET', url: 'http://127.0.0.1/', headers: {} },
    response: { status: 200, headers: {}, body: new Uint8Array(), ended: 'complete' },
  };
  return { exchange };
}

const scenario = (name: string, steps: readonly CallStep[]): Scenario => ({
  name,
  about: name,
  priority: 1,
  steps,
});
const list = (name: string) => call('listModels', name);
const wallet = (name: string): CallStep => ({ ...list(name), operationId: 'getPackage' });

test('whoever looks at the list of voice models has it alone, while others go on', async () => {
  let looking = 0;
  let most = 0;
  let together = 0;
  let atOnce = 0;
  const scenarios = [
    scenario('a', [list('1'), list('2')]),
    scenario('b', [list('3')]),
    scenario('c', [wallet('4'), wallet('5')]),
  ];
  await runScenarios(scenarios, {
    concurrency: 3,
    make: async (step) => {
      const looks = step.kind === 'call' && step.operationId === 'listModels';
      together += 1;
      if (looks) looking += 1;
      most = Math.max(most, looking);
      atOnce = Math.max(atOnce, together);
      await new Promise((resolve) => setImmediate(resolve));
      if (looks) looking -= 1;
      together -= 1;
      return answer(step);
    },
  });
  expect(most).toBe(1);
  expect(atOnce).toBe(2);
});

test('what was made comes in the order of the scenarios, whoever was first', async () => {
  const scenarios = [scenario('slow', [wallet('slow')]), scenario('fast', [wallet('fast')])];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { exchanges } = await runScenarios(scenarios, {
    concurrency: 2,
    make: async (step) => {
      if (step.name.includes('slow')) await held;
      else release();
      return answer(step);
    },
  });
  expect(exchanges.map(({ name }) => name)).toEqual(['listModels, slow', 'listModels, fast']);
});

test('nothing is begun after an interrupt', async () => {
  const controller = new AbortController();
  const { exchanges, skipped } = await runScenarios(
    [scenario('a', [list('1'), list('2')]), scenario('b', [list('3')])],
    {
      concurrency: 1,
      signal: controller.signal,
      make: async (step) => {
        controller.abort();
        return answer(step);
      },
    },
  );
  expect(exchanges).toHaveLength(1);
  expect(skipped.map(({ reason }) => reason)).toEqual(['the run was interrupted', 'the run was interrupted']);
});

test('a step that throws ends the run and leaves nothing waiting forever', async () => {
  const run = runScenarios(
    [scenario('a', [list('1')]), scenario('b', [list('2')]), scenario('c', [list('3')])],
    {
      concurrency: 3,
      make: async () => {
        throw new Error('broken');
      },
    },
  );
  await expect(run).rejects.toThrow('broken');
});
