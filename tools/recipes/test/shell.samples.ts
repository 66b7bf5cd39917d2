import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { useSamples } from './run-sample.ts';
import { findGuideExamples, findSamples, recipes, run, useFolder, useSandbox } from './runner.ts';

/** The python3 of the path may be somebody's own; Debian's has Debian's package `python3-requests`. */
const hasRequests = (program: string): boolean => spawnSync(program, ['-c', 'import requests']).status === 0;
const python = ['python3', '/usr/bin/python3'].find(hasRequests);
const hasCurl = spawnSync('curl', ['--version']).status === 0;

const runSample = useSamples();

// In CI nothing is left out: there a missing tool fails each of these.
const canSkip = process.env.CI === undefined;
describe.skipIf(canSkip && !hasCurl)('in curl', () => {
  test.each([...findSamples('curl.sh'), ...findGuideExamples()])('$name runs', (sample) =>
    runSample(sample, 'bash', '-euo', 'pipefail'),
  );
});
describe.skipIf(canSkip && python === undefined)('in Python, with requests', () => {
  test.each(findSamples('python.py'))('$name runs', (sample) => runSample(sample, python ?? 'python3'));

  const sandbox = useSandbox();
  test('a test reads the calls of a sandbox', async () => {
    const printed = await run(sandbox.url, useFolder(), python ?? 'python3', `${recipes}calls.py`);
    expect(printed).toBe('POST /v1/tts 200\n');
  });
});
