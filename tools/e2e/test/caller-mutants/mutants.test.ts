import { useMock } from '@speech-api/mock/vitest';
import { expect, test } from 'vitest';
import { type GoodCall, goodCalls, mutants } from './mutants.ts';
import { capture, send } from './sent-request.ts';

// Mistakes that a caller of the service could make, each done to a request of the client: the mock's check finds every one
// of them and says where it is, and finds nothing in the requests as they are.

const mock = useMock();

test.each(Object.keys(goodCalls) as GoodCall[])(
  'nothing is wrong with %s as the client sends it',
  async (call) => {
    const response = await send(mock.url, await capture(goodCalls[call]));
    await response.arrayBuffer();
    expect(response.ok).toBe(true);
    expect(mock).toBeValidRequest();
  },
);

const cases = mutants.map(([call, name, mutation, rule, loc]) => ({ call, name, mutation, rule, loc }));

test.each(cases)('$call: $name', async ({ call, mutation, rule, loc }) => {
  const response = await send(mock.url, mutation(await capture(goodCalls[call])));
  await response.arrayBuffer();
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(mock).not.toBeValidRequest();
  const found = mock.calls.flatMap(({ violations }) => violations);
  expect(found.map((violation) => violation.rule)).toContain(rule);
  if (loc !== undefined) expect(found.map((violation) => violation.loc.join('.'))).toContain(loc);
});

test('there are more than forty, no two alike', () => {
  const names = mutants.map(([call, name]) => `${call}: ${name}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(100);
});
