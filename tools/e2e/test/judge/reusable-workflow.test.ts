import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startSandbox } from '@speech-api/sandbox';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sandboxKey } from '../testing/use-sandbox.ts';

// The workflow that other repositories call. Its actions cannot run here; its scripts can.

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

const text = readFileSync(new URL('../../../../.github/workflows/contract.yml', import.meta.url), 'utf8');
const workflow = parse(text) as {
  on: { workflow_call: { inputs: Record<string, { default?: string }>; secrets: Record<string, unknown> } };
  jobs: Record<string, { steps: Step[] }>;
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

test('is shown in the guide with inputs that it has', () => {
  const file = '../../../../apps/docs/src/content/docs/guides/contract.mdx';
  const guide = readFileSync(new URL(file, import.meta.url), 'utf8');
  const [, shown = ''] = /with: \{ ([^}]+) \}/.exec(guide) ?? [];
  const names = [...shown.matchAll(/(\w+): "/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(Object.keys(workflow.on.workflow_call.inputs)).toContain(name);
});

const folder = mkdtempSync(join(tmpdir(), 'contract-workflow-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the script of a step in a folder of its own, with a judge of this repository in place of the published one. */
function runStep(name: string, environment: Record<string, string>, where: string) {
  const { run = '' } = steps.find((step) => step.name === name) ?? {};
  mkdirSync(join(where, 'bin'), { recursive: true });
  const bin = join(
    dirname(createRequire(import.meta.url).resolve('@speech-api/contract/package.json')),
    'dist/bin.js',
  );
  writeFileSync(join(where, 'bin/npx'), `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${bin}" "$@"\n`, {
    mode: 0o755,
  });
  const env = {
    PATH: `${join(where, 'bin')}:${process.env.PATH}`,
    GITHUB_STEP_SUMMARY: join(where, 'summary.md'),
    ...environment,
  };
  return new Promise<number | null>((resolve, reject) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: where,
      env,
      stdio: 'ignore',
    });
    child.on('error', reject);
    child.on('close', resolve);
  });
}

test('keeps JUnit and SARIF for later and shows the summary of a run', async () => {
  const sandbox = await startSandbox({ faults: ['GET /wallet/self/package status=500'] });
  const where = join(folder, 'judged');
  try {
    const environment = {
      SPEECH_API_KEY: sandboxKey,
      VERSION: '1',
      REGISTRY: '',
      TARGET: sandbox.url,
      LIVE: '',
      OPTIONS: '--only wallet-own --timeout 120',
    };
    expect(await runStep('Judge it', environment, where)).toBe(1);
  } finally {
    await sandbox.close();
  }
  expect(await runStep('Summarise it', {}, where)).toBe(0);
  const summary = readFileSync(join(where, 'summary.md'), 'utf8');
  expect(summary).toMatch(/^## Speech contract\n\n {4}Errors \(\d+\)/);
  expect(
    summary
      .split('\n')
      .slice(2, -1)
      .filter((line) => !line.startsWith('    ')),
  ).toEqual([]);
  const kept = steps.find(({ uses = '' }) => uses.startsWith('actions/upload-artifact@'))?.with?.path ?? '';
  expect(readdirSync(join(where, kept)).sort()).toEqual([
    'junit.xml',
    'report.json',
    'report.sarif',
    'summary.txt',
  ]);
  for (const file of readdirSync(join(where, kept)))
    expect(readFileSync(join(where, kept, file), 'utf8')).not.toContain(sandboxKey);
});

test('takes nothing from a registry before there is a release, unless one is named', async () => {
  const where = join(folder, 'unreleased');
  const named = 'https://registry.example';
  expect(await runStep('Take nothing that is not ours', { RELEASED: '', REGISTRY: '' }, where)).toBe(2);
  expect(await runStep('Take nothing that is not ours', { RELEASED: '', REGISTRY: named }, where)).toBe(0);
});

test('says in the summary that nothing was judged where there is no report', async () => {
  const where = join(folder, 'nothing');
  expect(await runStep('Summarise it', {}, where)).toBe(0);
  expect(readFileSync(join(where, 'summary.md'), 'utf8')).toContain('nothing was judged');
});
