import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../read.ts';
import { isObject } from '../read.ts';
import { readDocument, walk } from './documents.ts';

const operationIds = new Set(
  [...walk(readDocument('openapi.json'))].map(([, { operationId }]) => operationId).filter(Boolean),
);
const built: JsonObject = JSON.parse(
  readFileSync(new URL('../dist/workflows.json', import.meta.url), 'utf8'),
);
const files = readdirSync(new URL('../workflows', import.meta.url));

interface Workflow {
  readonly workflowId: string;
  readonly summary?: string;
  readonly steps: readonly {
    readonly stepId: string;
    readonly operationId?: string;
    readonly successCriteria?: readonly { readonly condition: string }[];
  }[];
}

const workflows = Object.values(built)
  .filter(isObject)
  .flatMap(({ workflows: list }) => list as unknown as Workflow[]);

describe('the workflows', () => {
  test('are all built and all linted', () => {
    const configuration = parse(readFileSync(new URL('../redocly.yaml', import.meta.url), 'utf8'));
    const linted = Object.values(configuration.apis as Record<string, { root: string }>).map(
      ({ root }) => root,
    );
    expect(files.map((file) => file.replace('.arazzo.yaml', ''))).toEqual(Object.keys(built));
    expect(linted).toEqual(expect.arrayContaining(files.map((file) => `workflows/${file}`)));
  });

  test('have names of their own', () => {
    const names = workflows.map(({ workflowId }) => workflowId);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(workflows)(
    'call operations that exist, and say what they expect: $workflowId',
    ({ steps, summary }) => {
      expect(summary).toBeTruthy();
      for (const { stepId, operationId, successCriteria = [] } of steps) {
        expect([stepId, operationIds.has(operationId ?? '')]).toEqual([stepId, true]);
        expect(successCriteria.length, stepId).toBeGreaterThan(0);
      }
    },
  );
});
