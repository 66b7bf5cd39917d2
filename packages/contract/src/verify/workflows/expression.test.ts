import { expect, test } from 'vitest';
import type { HttpExchange } from '../../exchange.ts';
import { evaluate, holds, NotPlayed, resolveValue } from './expression.ts';

const exchange: HttpExchange = {
  kind: 'http',
  name: 'a list',
  request: { method: 'GET', url: 'http://127.0.0.1/model', headers: {} },
  response: {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode('{"total":2,"items":[{"_id":"a/b"}],"has_more":false}'),
    ended: 'complete',
  },
};
const context = { inputs: { title: 'Harbour' }, steps: new Map([['make', { id: 'a/b' }]]), exchange };

test('expressions reach inputs, earlier steps and the answer', () => {
  expect(evaluate('$inputs.title', context)).toBe('Harbour');
  expect(evaluate('$steps.make.outputs.id', context)).toBe('a/b');
  expect(evaluate('$response.body#/items/0/_id', context)).toBe('a/b');
  expect(evaluate('$response.header.Content-Type', context)).toBe('application/json');
  expect(evaluate('$response.body#/items/7/_id', context)).toBeUndefined();
  expect(() => evaluate('$message.payload', context)).toThrow(NotPlayed);
});

test('expressions can be whole values or inside of texts', () => {
  expect(
    resolveValue({ title: '{$inputs.title} at dusk', ids: ['$steps.make.outputs.id'], price: 5 }, context),
  ).toEqual({
    title: 'Harbour at dusk',
    ids: ['a/b'],
    price: 5,
  });
});

test.each([
  ['$statusCode == 200', true],
  ['$statusCode == 404 || $statusCode == 200', true],
  ['$response.body#/total >= 2 && $response.body#/has_more == false', true],
  ['$response.body#/total > 2', false],
  ['$response.body#/items/0/_id == $steps.make.outputs.id', true],
  ["$inputs.title != 'harbour'", false],
  ['$response.body#/missing != null', true],
  ['$response.body#/missing >= 1', false],
])('the condition %s is %s', (condition, expected) => {
  expect(holds(condition, context)).toBe(expected);
});

test('a condition that is written otherwise is not played', () => {
  expect(() => holds('total is large', context)).toThrow(NotPlayed);
});
