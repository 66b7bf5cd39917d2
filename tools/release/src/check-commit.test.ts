import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedProgram } from '@speech-api/run/program';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './api-reports.ts';
import { checkChanges, checkClean, checkDeclarations, checkVersions } from './check-commit.ts';
import { findUnnamed } from './require-change-files.ts';

let folder: string;
let registry: Server;

/** The manifests, changelogs and settings of this repository, as it is after its first release. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'check-commit-'));
  const copied = [
    '{package.json,pnpm-workspace.yaml,.pnpmfile.mjs}',
    '{spec,packages/*,apps/*,apps/sandbox/engines/*,tools/*}/{package.json,CHANGELOG.md}',
  ];
  for (const path of globSync(copied, { cwd: root })) cpSync(join(root, path), join(folder, path));
  registry = createServer((_, response) => response.writeHead(404).end('{}')).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  git('init', '-q');
  commit('The first release');
  git('tag', `v${read('packages/client/package.json').version}`);
});
afterEach(() => {
  registry.close();
  rmSync(folder, { recursive: true });
});

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });

function commit(message: string): void {
  git('add', '.');
  git('commit', '-qm', message);
}

/** pnpm asks the registry which versions are published: here, none. */
async function pnpm(...args: string[]): Promise<string> {
  const [program, words, shell] = installedProgram('pnpm', args);
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  const env = { ...process.env, PNPM_CONFIG_REGISTRY: address };
  const { stdout } = await promisify(execFile)(program, words, { cwd: folder, env, ...shell });
  return stdout;
}

const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
const version = (): string => read('packages/client/package.json').version;

test('a change, its change file and the version that pnpm writes make a commit that may be released', async () => {
  const [released, changelog] = [
    version(),
    readFileSync(join(folder, 'packages/client/CHANGELOG.md'), 'utf8'),
  ];
  for (const old of [released, '0.0.99'])
    expect(checkChanges(folder, old)).toEqual([expect.stringContaining('is released already')]);

  writeFileSync(join(folder, 'packages/client/api.txt'), 'export sing');
  commit('The client sings');
  expect(findUnnamed(folder, 'HEAD~1')).toEqual(['@speech-api/client']);
  expect(checkDeclarations(folder).problems).toEqual([
    expect.stringContaining('No change file names @speech-api/client'),
  ]);
  await pnpm('change', '--bump', 'minor', '--summary', 'The client sings.', '@speech-api/client');
  expect(checkClean(folder)).toEqual([expect.stringContaining('?? .changeset/')]);
  commit('What that means');
  expect(findUnnamed(folder, 'HEAD~2')).toEqual([]);
  expect(checkChanges(folder, released)).toContainEqual(expect.stringContaining('1 change files wait'));

  git('tag', 'before-version');
  await pnpm('version', '-r');
  commit('A version');
  expect(findUnnamed(folder, 'before-version')).toEqual([]);
  expect(version()).not.toBe(released);
  expect([
    ...checkChanges(folder, version()),
    ...checkClean(folder),
    ...checkVersions(folder),
    ...checkDeclarations(folder).problems,
    ...checkDeclarations(folder).tasks,
  ]).toEqual([]);

  await pnpm('--filter', '@speech-api/client', 'pack', '--pack-destination', folder);
  const archive = `speech-api-client-${version()}.tgz`;
  const tar = ['-xzOf', archive, 'package/CHANGELOG.md'];
  const packed = execFileSync('tar', tar, { cwd: folder, encoding: 'utf8' });
  expect(packed).toContain('- The client sings.');
  expect(packed).toContain(changelog.slice(changelog.indexOf('\n## ')));
});

test('the specification has its own version, which no change file raises', async () => {
  const change = pnpm('change', '--bump', 'patch', '--summary', 'Other words.', '@speech-api/spec');
  await expect(change).rejects.toThrow('@speech-api/spec is not a releasable package');
});
