import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import supported from '@speech-api/config/supported-versions' with { type: 'json' };
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './api-reports.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const [oldest, next] = supported.node.map(({ tested }) => tested.slice(1));

test('SUPPORT.md promises the versions that are tested, and no others', () => {
  const rows = supported.node.map(({ major, tested, until }) => `| ${major} | ${tested} | ${until} |`);
  expect(read('SUPPORT.md').match(/^\| \d+ \|.*$/gm)).toEqual(rows);
  expect(read('SUPPORT.md')).toContain(`| TypeScript | ${supported.typescript.join(', ')} |`);
});

test('the client side installs on the oldest version of Node that is promised', () => {
  for (const name of ['types', 'audio', 'msgpack', 'streaming', 'client', 'live', 'recordings'])
    expect(JSON.parse(read(`packages/${name}/package.json`)).engines.node).toBe(`^${oldest} || >=${next}`);
});

test('the weekly workflow installs on every other version of Node that is promised', () => {
  const newer = supported.node.slice(1).map(({ major }) => `node${major}`);
  expect(read('.github/workflows/consumers.yml').match(/\bnode\d+\b/g)).toEqual(newer);
});

interface Job {
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
}
const jobsOf = (path: string) => Object.entries(parse(read(path)).jobs as Record<string, Job>);

const workflows = globSync('.github/workflows/*.yml', { cwd: root });

test('workflows run scripts that the root has', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const called = workflows.flatMap((path) =>
    [...read(path).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = '']) => script),
  );
  expect(called.length).toBeGreaterThan(2);
  expect(called.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
});

test('workflows use actions by their hash', () => {
  const used = workflows.flatMap((path) =>
    jobsOf(path).flatMap(([, { steps = [] }]) =>
      steps.flatMap(({ uses }) => (uses ? [`${path} ${uses}`] : [])),
    ),
  );
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((line) => !/ \.\/| \S+@[0-9a-f]{40}$/.test(line))).toEqual([]);
});

test('the job that may publish installs nothing, and a person stands before latest', () => {
  const jobs = jobsOf('.github/workflows/release.yml');
  const trusted = jobs.filter(([, { permissions }]) => permissions?.['id-token'] === 'write');
  expect(trusted.map(([name]) => name)).toEqual(['next']);
  const commands = trusted.flatMap(([, { steps }]) => steps.flatMap(({ run }) => run ?? []));
  expect(commands.filter((run) => /npm (install|ci|run)|npx|pnpm/.test(run))).toEqual([]);
  const latest = jobs.filter(([, { steps }]) => steps.some(({ run = '' }) => run.includes('release latest')));
  expect(latest.map(([name, { environment }]) => [name, environment])).toEqual([['latest', 'release']]);
});
