import { expect, test } from 'vitest';
import type { Criterion, HttpExchange } from '../../exchange.ts';
import { createMemory } from '../make-step.ts';
import { runScenarios } from '../run-scenarios.ts';
import type { CallStep } from '../step.ts';
import { workflowScenarios } from './workflow-scenarios.ts';

const document = {
  arazzo: '1.0.1',
  workflows: [
    {
      workflowId: 'read-one',
      summary: 'Reads the first voice model of the list.',
      inputs: { type: 'object', properties: { size: { type: 'integer', default: 1 } } },
      steps: [
        {
          stepId: 'list',
          operationId: 'listModels',
          parameters: [{ name: 'page_size', in: 'query', value: '$inputs.size' }],
          successCriteria: [{ condition: '$statusCode == 200' }],
          outputs: { id: '$response.body#/items/0/_id' },
        },
        {
          stepId: 'read',
          operationId: '$sourceDescriptions.speech.getModel',
          parameters: [{ name: 'id', in: 'path', value: '$steps.list.outputs.id' }],
          successCriteria: [
            { condition: '$statusCode == 200' },
            { condition: '$response.body#/_id == $steps.list.outputs.id' },
          ],
        },
      ],
    },
    {
      workflowId: 'searches',
      steps: [
        {
          stepId: 'a',
          operationId: 'getModel',
          successCriteria: [{ condition: '$statusCode == 200 || found' }],
        },
      ],
    },
    { workflowId: 'asks', inputs: { properties: { colour: { type: 'string' } } }, steps: [] },
    {
      workflowId: 'waits',
      steps: [{ stepId: 'a', operationId: 'getModel', onFailure: [{ type: 'retry' }] }],
    },
  ],
};

/** Plays the workflow against answers that are given by the operation. */
async function play(bodies: Readonly<Record<string, unknown>>) {
  const all = workflowScenarios([document]);
  const scenarios = all.filter((scenario) => scenario.notPlayed === undefined);
  const notPlayed = all.flatMap(({ name, notPlayed: reason }) =>
    reason === undefined ? [] : [{ name, reason }],
  );
  const calls: unknown[] = [];
  const criteria: Criterion[] = [];
  const outcome = await runScenarios(scenarios, {
    concurrency: 1,
    make: async (step, memory) => {
      const { operationId, call, name } = step as CallStep;
      calls.push(call(memory).path?.id ?? call(memory).query);
      const body = new TextEncoder().encode(JSON.stringify(bodies[operationId]));
      const exchange: HttpExchange = {
        kind: 'http',
        name,
        request: { method: 'GET', url: 'http://127.0.0.1/', headers: {} },
        response: { status: 200, headers: {}, body, ended: 'complete' },
      };
      criteria.push(...((step as CallStep).criteria?.(exchange) ?? []));
      return { exchange };
    },
  });
  return {
    broken: criteria.filter(({ holds }) => !holds).map(({ text }) => text),
    skipped: outcome.skipped,
    calls,
    notPlayed,
  };
}

test('a step is sent with what an earlier one has put out', async () => {
  const { calls, broken } = await play({
    listModels: { items: [{ _id: 'alba' }] },
    getModel: { _id: 'alba' },
  });
  expect(calls).toEqual([[['page_size', '1']], 'alba']);
  expect(broken).toEqual([]);
});

test('an answer that does not meet a criterion is reported with it', async () => {
  const { broken } = await play({ listModels: { items: [{ _id: 'alba' }] }, getModel: { _id: 'blake' } });
  expect(broken).toEqual(['workflow-read-one, read: $response.body#/_id == $steps.list.outputs.id']);
});

test('a step whose input never came is left out', async () => {
  const { calls, skipped } = await play({ listModels: { items: [] } });
  expect(calls).toHaveLength(1);
  expect(skipped[0]?.reason).toMatch(/list\.outputs\.id/);
});

test('what is not played is named with its reason', async () => {
  const { notPlayed } = await play({});
  expect(notPlayed).toEqual([
    { name: 'workflow-searches', reason: expect.stringContaining('found') },
    { name: 'workflow-asks', reason: expect.stringContaining('colour') },
    { name: 'workflow-waits', reason: expect.stringContaining('onFailure') },
  ]);
});

test('a dry run shows unknown values as expressions', () => {
  const read = workflowScenarios([document])[0]?.steps[1] as CallStep;
  expect(read.call(createMemory(() => '')).path).toEqual({ id: '<$steps.list.outputs.id>' });
});

test('the key is sent where a workflow asks for it, and a wrong key where it asks for another one', () => {
  const step = { operationId: 'listModels', successCriteria: [{ condition: '$statusCode == 401' }] };
  const scenarios = workflowScenarios([
    {
      components: {
        inputs: { Key: { type: 'object', properties: { key: { type: 'string' } } } },
        parameters: { key: { name: 'Authorization', in: 'header', value: 'Bearer {$inputs.key}' } },
      },
      workflows: [
        {
          workflowId: 'keys',
          inputs: { $ref: '#/components/inputs/Key' },
          parameters: [{ reference: '$components.parameters.key' }],
          steps: [
            { ...step, stepId: 'good', successCriteria: [] },
            {
              ...step,
              stepId: 'bad',
              parameters: [{ name: 'Authorization', in: 'header', value: 'Bearer none' }],
            },
          ],
        },
      ],
    },
  ]);
  const [good, bad] = (scenarios[0]?.steps ?? []) as readonly CallStep[];
  expect(good?.call(createMemory())).toMatchObject({ key: 'given', headers: {} });
  expect(bad?.call(createMemory()).key).toBe('wrong');
  expect(bad?.expectation).toMatchObject({ outcome: 'refused', refusals: ['key-missing', 'key-unknown'] });
});
