import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../testing/code-blocks.ts';

// The workflow that other repositories call. The consumers of this workspace play the step that judges.

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

const { on, jobs } = parse(readFileSync(`${root}.github/workflows/contract.yml`, 'utf8')) as {
  on: { workflow_call: { inputs: object; secrets: object } };
  jobs: { judge: { steps: Step[] } };
};
const { steps } = jobs.judge;
const stepOf = (name: string): Step => steps.find((step) => step.name === name) ?? {};

function play(name: string, environment: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'contract-workflow-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = { PATH: process.env.PATH, GITHUB_STEP_SUMMARY: 'summary.md', ...environment };
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', stepOf(name).run ?? ''];
  const { status } = spawnSync('bash', words, { cwd: folder, env });
  return { status, summary: () => readFileSync(join(folder, 'summary.md'), 'utf8') };
}

test('puts no input into a script, and gives the key to the step that judges and to no other', () => {
  for (const { run = '' } of steps) expect(run).not.toContain('${{');
  expect(steps.filter((step) => JSON.stringify(step).includes('secrets.'))).toEqual([stepOf('Judge it')]);
  expect(stepOf('Judge it').run).toContain('@speech-api/contract@$VERSION');
  expect(Object.keys(on.workflow_call.secrets)).toEqual(['SPEECH_API_KEY']);
});

test('takes nothing from a registry before there is a release, unless one is named', () => {
  const step = 'Take nothing that is not ours';
  expect(play(step, { RELEASED: '', REGISTRY: '' }).status).toBe(2);
  expect(play(step, { RELEASED: '', REGISTRY: 'https://registry.example' }).status).toBe(0);
});

test('uploads the folder of the reports, and says in the summary where there is none', () => {
  const upload = steps.find(({ uses = '' }) => uses.startsWith('actions/upload-artifact@'));
  expect(stepOf('Judge it').run).toContain(`--report "\${report%%=*}=${upload?.with?.path}/`);
  const { status, summary } = play('Summarise it', {});
  expect(status).toBe(0);
  expect(summary()).toContain('nothing was judged');
});

test('is shown in the guide with inputs that it has', () => {
  const guide = readFileSync(`${root}apps/docs/src/content/docs/guides/contract.mdx`, 'utf8');
  const [, shown = ''] = /with: \{ ([^}]+) \}/.exec(guide) ?? [];
  const names = [...shown.matchAll(/(\w+): "/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(Object.keys(on.workflow_call.inputs)).toEqual(expect.arrayContaining(names));
});
