import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, test } from 'vitest';

// The package as it is published. Its build comes before its tests.

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

test.each(['client', 'msgpack'])('publint finds nothing wrong with %s', async (name) => {
  const pkgDir = join(root, '..', name);
  const { messages, pkg } = await publint({ pkgDir, strict: true, pack: false });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test('the types of each entry resolve for every consumer of ES modules', async () => {
  const attw = join(
    dirname(createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json')),
    'dist/index.js',
  );
  const { stdout } = await run(process.execPath, [
    attw,
    '--pack',
    root,
    '--profile',
    'esm-only',
    '--format',
    'json',
  ]);
  const { analysis } = JSON.parse(stdout) as {
    analysis: { problems: { kind: string; resolutionKind?: string }[] };
  };
  const modern = analysis.problems.filter(
    ({ resolutionKind }) => resolutionKind !== 'node10' && resolutionKind !== 'node16-cjs',
  );
  expect(modern).toEqual([]);
}, 60_000);

test.each(['', '/captions', '/opentelemetry', '/node'])(
  'CommonJS gets @speech-api/client%s by require',
  async (entry) => {
    const code = `console.log(Object.keys(require('@speech-api/client${entry}')).length)`;
    const { stdout } = await run(process.execPath, ['--input-type=commonjs', '--eval', code], { cwd: root });
    expect(Number(stdout)).toBeGreaterThan(0);
  },
);
