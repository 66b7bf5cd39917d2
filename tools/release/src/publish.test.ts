import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, test as anywhere, beforeEach, expect } from 'vitest';

// The steps run on Ubuntu only, and Windows does not start the fake npm by its first line.
const test = anywhere.skipIf(process.platform === 'win32');

const program = fileURLToPath(new URL('../publish.mjs', import.meta.url));
const integrity = `sha512-${createHash('sha512').update('bytes').digest('base64')}`;
const provenance = 'https://slsa.dev/provenance/v1';
const spec = '@speech-api/client@1.0.0';
const second = '@speech-api/live@1.0.0';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'publish-'));
  for (const name of ['client', 'live']) writeFileSync(join(folder, `${name}.tgz`), 'bytes');
  const packages = ['client', 'live'].map((name) => ({
    name: `@speech-api/${name}`,
    version: '1.0.0',
    archive: `${name}.tgz`,
    integrity,
  }));
  writeFileSync(join(folder, 'release.json'), JSON.stringify({ packages }));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Fields = Readonly<Record<string, string>>;

/** The same fields for both packages. */
const both = (fields: Fields) => ({ [spec]: fields, [second]: fields });

/** Performs a step with an npm that answers `view` from these versions and notes every other call. */
function perform(step: string, published: Readonly<Record<string, Fields>>) {
  writeFileSync(
    join(folder, 'npm'),
    `#!/usr/bin/env node
const { appendFileSync } = require('node:fs');
const [command, ...rest] = process.argv.slice(2);
if (command === 'view') {
  const fields = (${JSON.stringify(published)})[rest[0]];
  if (!fields) { console.error('npm error code E404'); process.exit(1); }
  console.log(fields[rest[1]] ?? '');
} else appendFileSync(${JSON.stringify(join(folder, 'log'))}, [command, ...rest].join(' ') + '\\n');
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

const publishing = (archive: string): string =>
  `publish ${join(folder, archive)} --tag next --access public --provenance\n`;

test('publishes the checked archives as next, with provenance, and not as latest', () => {
  const { status, calls } = perform('next', {});
  expect({ status, calls }).toEqual({ status: 0, calls: publishing('client.tgz') + publishing('live.tgz') });
});

test('publishes nothing if one archive is not the one that was checked', () => {
  writeFileSync(join(folder, 'live.tgz'), 'other bytes');
  const { status, output, calls } = perform('next', {});
  expect({ status, calls }).toEqual({ status: 1, calls: '' });
  expect(output).toContain('live.tgz is not the archive that was checked');
});

test('publishes nothing if the registry has one of the versions with other bytes', () => {
  const { status, output, calls } = perform('next', { [second]: { 'dist.integrity': 'sha512-other' } });
  expect({ status, calls }).toEqual({ status: 1, calls: '' });
  expect(output).toContain(`${second} has other bytes in the registry`);
});

test.each([
  ['other bytes', { 'dist.integrity': 'sha512-other' }, 'has other bytes in the registry'],
  ['no provenance', { 'dist.integrity': integrity }, 'has no provenance'],
])('fails for a published version with %s', (_, fields, words) => {
  const { status, output } = perform('check', both(fields));
  expect(status).toBe(1);
  expect(output).toContain(`${spec} ${words}`);
});

test('a version with its provenance passes, and becomes latest', () => {
  const published = both({
    'dist.integrity': integrity,
    'dist.attestations.provenance.predicateType': provenance,
  });
  expect(perform('check', published).status).toBe(0);
  expect(perform('latest', published).calls).toBe(
    `dist-tag add ${spec} latest\ndist-tag add ${second} latest\n`,
  );
});
