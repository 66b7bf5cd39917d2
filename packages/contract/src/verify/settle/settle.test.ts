import { describe, expect, test } from 'vitest';
import { register } from '../../specification/document.ts';
import { generalError, page, voiceModel } from '../../testing/exchanges.ts';
import { answerJson, serve } from '../../testing/serve.ts';
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
  expect(planSettling({}).chosen.filter(({ writes }) => writes === true)).toEqual([]);
  expect(reasonsOf({}).get('update-model-nulls')).toMatch(/--allow-changes/);
  expect(reasonsOf({ allowChanges: true }).get('update-model-nulls')).toBeUndefined();
});

test('leaves out what does not fit the budget, and says which limit', () => {
  expect(planSettling({ budget: { calls: 5 } }).cost.calls).toBeLessThanOrEqual(5);
  expect(reasonsOf({ budget: { calls: 5 } }).get('unknown-models')).toBe('it did not fit --max-calls 5');
});

test('an answer that shows nothing, such as 429, is neither for nor against a guess', async () => {
  const target = await serve((request, response) => {
    request.resume();
    if (request.url?.startsWith('/model')) answerJson(response, 200, page([]));
    else answerJson(response, 429, generalError(429));
  });
  const { guesses } = await settle({ target, key: 'a-long-enough-key', only: ['unknown-models'] });
  expect(guesses).toMatchObject([
    { id: 'unknown-models', verdict: 'not shown', reason: expect.stringMatching(/429/) },
  ]);
});

describe('a server that answers otherwise', () => {
  /** One voice model; PATCH is accepted in JSON alone, DELETE answers with an object, a bad key 403, and PUT 404. */
  async function settleWith(only: readonly string[]) {
    let isGone = false;
    const target = await serve((request, response) => {
      const { method, url = '', headers } = request;
      const refuse = (status: number) => answerJson(response, status, generalError(status));
      request.resume();
      if (headers.authorization !== 'Bearer a-long-enough-key') refuse(403);
      else if (method === 'POST' && url === '/model') {
        isGone = false;
        answerJson(response, 201, voiceModel());
      } else if (method === 'PATCH') {
        if (headers['content-type'] === 'application/json') response.end();
        else refuse(415);
      } else if (method === 'DELETE') {
        isGone = true;
        answerJson(response, 200, {});
      } else if (method !== 'GET') refuse(404);
      else if (/^\/model(\?|$)/.test(url)) answerJson(response, 200, page(['v1']));
      else if (isGone) refuse(404);
      else answerJson(response, 200, voiceModel());
    });
    const report = await settle({ target, key: 'a-long-enough-key', only, allowChanges: true });
    return new Map(report.guesses.map((guess) => [guess.id, guess]));
  }

  test('is not blamed in a guess for calls that the guess does not speak about', async () => {
    const guesses = await settleWith([
      'delete-model-success-body',
      'create-model-media-types',
      'error-headers',
    ]);
    expect(guesses.get('delete-model-success-body')).toMatchObject({ verdict: 'holds', found: [] });
    expect(guesses.get('create-model-media-types')).toMatchObject({ verdict: 'holds', found: [] });
    expect(guesses.get('error-headers')?.found.map(({ rule }) => rule)).not.toContain('refusal-status');
  });

  test('is shown the refusals to change, and not every place of a guess about all of them', async () => {
    const guess = (await settleWith(['error-statuses'])).get('error-statuses');
    expect(guess?.verdict).toBe('does not hold');
    const status = guess?.found.filter(({ rule }) => rule === 'refusal-status') ?? [];
    expect(status.map(({ actual }) => actual)).toContain('403');
    const keys = guess?.change.map(({ key }) => key) ?? [];
    expect(keys).toEqual(expect.arrayContaining(['error-statuses', 'key-unknown', 'unknown-method']));
    expect(keys).not.toContain('credit');
    expect(keys.length).toBeLessThan(12);
  });
});
