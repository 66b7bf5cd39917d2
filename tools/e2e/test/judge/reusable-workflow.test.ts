import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

// The workflow that other repositories call. Its judge, from a registry, is played by tools/e2e/consumers.

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

const root = new URL('../../../../', import.meta.url);
const { on, jobs } = parse(readFileSync(new URL('.github/workflows/contract.yml', root), 'utf8')) as {
  on: { workflow_call: { inputs: object; secrets: object } };
  jobs: { judge: { steps: Step[] } };
};
const { steps } = jobs.judge;
const judging = steps.find(({ name }) => name === 'Judge it');

test('gives the key to the step that judges alone, and puts no input into a script', () => {
  const keyed = steps.filter(({ env = {} }) => JSON.stringify(env).includes('secrets.'));
  expect(keyed).toEqual([judging]);
  expect(judging?.run).toContain('"@speech-api/contract@$VERSION" verify');
  // The value of an input could end the word that it stands in.
  for (const { run = '' } of steps) expect(run).not.toContain('${{');
});

test('uploads the folder of the reports, and is shown in the guide with inputs that it has', () => {
  const upload = steps.find(({ uses = '' }) => uses.startsWith('actions/upload-artifact@'));
  expect(judging?.run).toContain(`--report "\${report%%=*}=${upload?.with?.path}/`);
  const guide = readFileSync(new URL('apps/docs/src/content/docs/guides/contract.mdx', root), 'utf8');
  const [, shown = ''] = /with: \{ ([^}]+) \}/.exec(guide) ?? [];
  const names = [...shown.matchAll(/(\w+): "/g)].map(([, name]) => name);
  expect(names).not.toEqual([]);
  expect(Object.keys(on.workflow_call.inputs)).toEqual(expect.arrayContaining(names));
});

test('takes nothing from a registry before there is a release, unless one is named', () => {
  const { run = '' } = steps.find(({ name }) => name === 'Take nothing that is not ours') ?? {};
  const statusWith = (REGISTRY: string) =>
    spawnSync('bash', ['-e', '-c', run], { env: { PATH: process.env.PATH, RELEASED: '', REGISTRY } }).status;
  expect([statusWith(''), statusWith('https://registry.example')]).toEqual([2, 0]);
});
