import { expect, test } from 'vitest';
import { exchange } from '../testing/exchanges.ts';
import type { Made } from './make-step.ts';
import { runScenarios } from './run-scenarios.ts';
import { call, scenario as making } from './scenarios/making.ts';
import type { CallStep, Step } from './step.ts';

const answer = ({ name }: Step): Made => ({ exchange: exchange('getPackage', { name }) });
const scenario = (name: string, steps: readonly CallStep[]) => making(name, 1, name, steps);
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
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const make = async (step: Step) => {
    if (step.name.includes('slow')) await held;
    else release();
    return answer(step);
  };
  const { exchanges } = await runScenarios(scenarios, { concurrency: 2, make });
  expect(exchanges.map(({ name }) => name)).toEqual(['listModels, slow', 'listModels, fast']);
});

test('nothing is begun after an interrupt', async () => {
  const controller = new AbortController();
  const make = async (step: Step) => {
    controller.abort();
    return answer(step);
  };
  const scenarios = [scenario('a', [list('1'), list('2')]), scenario('b', [list('3')])];
  const options = { concurrency: 1, signal: controller.signal, make };
  const { exchanges, skipped } = await runScenarios(scenarios, options);
  expect(exchanges).toHaveLength(1);
  expect(skipped.map(({ reason }) => reason)).toEqual(['the run was interrupted', 'the run was interrupted']);
});

test('a step that throws ends the run and leaves nothing waiting forever', async () => {
  const scenarios = ['a', 'b', 'c'].map((name) => scenario(name, [list(name)]));
  const make = () => Promise.reject(new Error('broken'));
  await expect(runScenarios(scenarios, { concurrency: 3, make })).rejects.toThrow('broken');
});
