import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

// The workflow that other repositories call: it cannot be run here, so what can go stale in it is looked at.

const text = readFileSync(new URL('../../../../.github/workflows/contract.yml', import.meta.url), 'utf8');
const workflow = parse(text) as {
  on: { workflow_call: { inputs: Record<string, { default?: string }>; secrets: Record<string, unknown> } };
  jobs: Record<string, { steps: { uses?: string; run?: string; env?: Record<string, string> }[] }>;
};
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

test('takes the judge in the version of this repository', () => {
  const { version } = createRequire(import.meta.url)('@speech-api/contract/package.json') as {
    version: string;
  };
  expect(workflow.on.workflow_call.inputs.version?.default).toBe(version);
});

test('takes the actions of others by their commits', () => {
  const taken = steps.flatMap(({ uses }) => uses ?? []);
  expect(taken.length).toBeGreaterThan(0);
  for (const uses of taken) expect(uses).toMatch(/@[0-9a-f]{40}$/);
});

test('puts no input into a script: a value could end the word it stands in', () => {
  for (const { run = '' } of steps) expect(run).not.toContain('${{');
});

test('gives the key to the step that judges, and to no other', () => {
  const given = steps.filter(({ env = {} }) =>
    Object.values(env).some((value) => value.includes('secrets.')),
  );
  expect(given.map(({ run }) => run)).toEqual([expect.stringContaining('@speech-api/contract@$VERSION')]);
  expect(Object.keys(workflow.on.workflow_call.secrets)).toEqual(['SPEECH_API_KEY']);
});

test('is shown in the README with inputs that it has', () => {
  const readme = readFileSync(new URL('../../../../packages/contract/README.md', import.meta.url), 'utf8');
  const [, shown = ''] = /with: \{ ([^}]+) \}/.exec(readme) ?? [];
  const names = [...shown.matchAll(/(\w+): "/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(Object.keys(workflow.on.workflow_call.inputs)).toContain(name);
});
