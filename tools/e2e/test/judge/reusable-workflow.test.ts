import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';

// The workflow that other repositories call. Its actions cannot run here; its scripts can. Its judge, from a registry, is
// played by tools/e2e/consumers.

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

function runStep(name: string, environment: Record<string, string>) {
  const { run = '' } = steps.find((step) => step.name === name) ?? {};
  return new Promise<number | null>((resolve, reject) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: folder,
      env: { PATH: process.env.PATH, GITHUB_STEP_SUMMARY: 'summary.md', ...environment },
      stdio: 'ignore',
    });
    child.on('error', reject);
    child.on('close', resolve);
  });
}

test('takes nothing from a registry before there is a release, unless one is named', async () => {
  const named = 'https://registry.example';
  expect(await runStep('Take nothing that is not ours', { RELEASED: '', REGISTRY: '' })).toBe(2);
  expect(await runStep('Take nothing that is not ours', { RELEASED: '', REGISTRY: named })).toBe(0);
});

test('says in the summary that nothing was judged where there is no report', async () => {
  expect(await runStep('Summarise it', {})).toBe(0);
  expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('nothing was judged');
});

test('uploads the folder that the judge writes its reports to', () => {
  const { run = '' } = steps.find(({ name }) => name === 'Judge it') ?? {};
  const kept = steps.find(({ uses = '' }) => uses.startsWith('actions/upload-artifact@'))?.with?.path;
  expect(run).toContain(`--report "\${report%%=*}=${kept}/`);
});
