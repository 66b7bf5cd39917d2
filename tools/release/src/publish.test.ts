import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const program = fileURLToPath(new URL('../publish.mjs', import.meta.url));
const integrity = `sha512-${createHash('sha512').update('bytes').digest('base64')}`;
const provenance = 'https://slsa.dev/provenance/v1';
const spec = '@speech-api/client@1.0.0';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'publish-'));
  writeFileSync(join(folder, 'client.tgz'), 'bytes');
  const packages = [{ name: '@speech-api/client', version: '1.0.0', archive: 'client.tgz', integrity }];
  writeFileSync(join(folder, 'release.json'), JSON.stringify({ packages }));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Performs a step with an npm that answers `view` with these fields and notes every other call. */
function perform(step: string, published: Record<string, string> | undefined) {
  const answer = published === undefined ? "console.error('npm error code E404'); process.exit(1);" : '';
  writeFileSync(
    join(folder, 'npm'),
    `#!/usr/bin/env node
const { appendFileSync } = require('node:fs');
const [command, ...rest] = process.argv.slice(2);
if (command === 'view') { ${answer} console.log((${JSON.stringify(published)})[rest[1]] ?? ''); }
else appendFileSync(${JSON.stringify(join(folder, 'log'))}, [command, ...rest].join(' ') + '\\n');
`,
  );
  chmodSync(join(folder, 'npm'), 0o755);
  writeFileSync(join(folder, 'log'), '');
  const env = { ...process.env, PATH: folder + delimiter + process.env.PATH };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, folder, step], {
    env,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr, calls: readFileSync(join(folder, 'log'), 'utf8') };
}

test('publishes the checked archive as next, with provenance, and not as latest', () => {
  const { status, calls } = perform('next', undefined);
  expect(status).toBe(0);
  expect(calls).toBe(`publish ${join(folder, 'client.tgz')} --tag next --access public --provenance\n`);
});

test('passes over what a run before it has published', () => {
  const { status, calls } = perform('next', { 'dist.integrity': integrity });
  expect({ status, calls }).toEqual({ status: 0, calls: '' });
});

test('publishes no archive other than the one that was checked', () => {
  writeFileSync(join(folder, 'client.tgz'), 'other bytes');
  const { status, output, calls } = perform('next', undefined);
  expect({ status, calls }).toEqual({ status: 1, calls: '' });
  expect(output).toContain('client.tgz is not the archive that was checked');
});

test.each([
  ['other bytes', { 'dist.integrity': 'sha512-other' }, 'has other bytes in the registry'],
  ['no provenance', { 'dist.integrity': integrity }, 'has no provenance'],
])('fails for a published version with %s', (_, published, words) => {
  const { status, output } = perform('check', published as Record<string, string>);
  expect(status).toBe(1);
  expect(output).toContain(`${spec} ${words}`);
});

test('a version with its provenance passes, and becomes latest', () => {
  const published = { 'dist.integrity': integrity, 'dist.attestations.provenance.predicateType': provenance };
  expect(perform('check', published).status).toBe(0);
  expect(perform('latest', published).calls).toBe(`dist-tag add ${spec} latest\n`);
});
