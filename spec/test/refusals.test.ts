import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isObject } from '../read.ts';
import { readDocument, walk } from './documents.ts';

interface Refusal {
  readonly id: string;
  readonly status: number;
  readonly applies_to?: readonly string[];
}

const refusals: readonly Refusal[] = JSON.parse(
  readFileSync(new URL('../dist/rules.json', import.meta.url), 'utf8'),
).refusals;

const operations = [...walk(readDocument('openapi.json').paths ?? {})]
  .map(([, object]) => object)
  .filter((object) => typeof object.operationId === 'string');

/** No operation has these, so no operation can list them. */
const ofNoOperation = ['unknown-path', 'unknown-method'];

describe('the statuses of refusals', () => {
  test.each(refusals.filter(({ id }) => !ofNoOperation.includes(id)))(
    'are documented at every operation that refuses so: $id $status',
    ({ status, applies_to: appliesTo }) => {
      const without = operations
        .filter(({ operationId }) => appliesTo === undefined || appliesTo.includes(String(operationId)))
        .filter(({ responses }) => !isObject(responses) || responses[String(status)] === undefined);
      expect(without.map(({ operationId }) => operationId)).toEqual([]);
    },
  );

  test('are the only ones that operations list', () => {
    const listed = operations.flatMap(({ operationId, responses }) =>
      Object.keys(isObject(responses) ? responses : {})
        .filter((status) => Number(status) >= 400)
        .map((status) => ({ operationId: String(operationId), status: Number(status) })),
    );
    const withoutRefusal = listed.filter(
      ({ operationId, status }) =>
        !refusals.some(
          (refusal) =>
            refusal.status === status &&
            (refusal.applies_to === undefined || refusal.applies_to.includes(operationId)),
        ),
    );
    expect(listed.length).toBeGreaterThan(80);
    expect(withoutRefusal).toEqual([]);
  });

  test('name operations that exist', () => {
    const known = operations.map(({ operationId }) => operationId);
    expect(known).toEqual(
      expect.arrayContaining(refusals.flatMap(({ applies_to: appliesTo = [] }) => appliesTo)),
    );
  });
});
