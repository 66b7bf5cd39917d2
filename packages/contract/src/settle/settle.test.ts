import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { register } from '../specification/document.ts';
import { planSettling, settle, settleBudget } from './settle.ts';

const reasonsOf = (options: Parameters<typeof planSettling>[0]) =>
  new Map(planSettling(options).candidates.map(({ entry, reason }) => [entry.id, reason]));

test('plays every entry that names scenarios, within the default budget', () => {
  const { candidates, cost } = planSettling({ allowChanges: true });
  const playable = register().filter(({ play }) => play !== undefined);
  expect(playable.length).toBeGreaterThan(60);
  expect(candidates.filter(({ scenarios }) => scenarios.length > 0)).toHaveLength(playable.length);
  expect(cost.calls).toBeLessThanOrEqual(settleBudget.calls);
});

test('creates, changes and deletes nothing unless that is allowed', () => {
  expect(planSettling({}).scenarios.filter(({ writes }) => writes === true)).toEqual([]);
  expect(reasonsOf({}).get('update-model-nulls')).toMatch(/--allow-changes/);
  expect(reasonsOf({ allowChanges: true }).get('update-model-nulls')).toBeUndefined();
});

test('leaves out what does not fit the budget, and says which limit', () => {
  const plan = planSettling({ budget: { calls: 5 } });
  expect(plan.cost.calls).toBeLessThanOrEqual(5);
  expect(reasonsOf({ budget: { calls: 5 } }).get('unknown-models')).toBe('it did not fit --max-calls 5');
});

test('passes on how a person can settle what no client can', () => {
  expect(reasonsOf({}).get('key-creation')).toBe('by hand: Ask the owner of the service.');
});

test('an answer that shows nothing, such as 429, is neither for nor against a guess', async () => {
  const list = JSON.stringify({ total: 0, items: [], has_more: false });
  const server = createServer((request, response) => {
    const isList = request.url?.startsWith('/model') === true;
    request.resume();
    response.writeHead(isList ? 200 : 429, { 'content-type': 'application/json' });
    response.end(isList ? list : '{"status":429,"message":"later"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { guesses } = await settle({ target, key: 'a-long-enough-key', only: ['unknown-models'] });
    expect(guesses).toMatchObject(
      [{ id: 'unknown-models', verdict: 'not shown', reason: /429/ }].map(({ reason, ...rest }) => ({
        ...rest,
        reason: expect.stringMatching(reason),
      })),
    );
  } finally {
    server.close();
  }
});
