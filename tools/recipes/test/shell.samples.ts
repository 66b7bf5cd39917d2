import { spawnSync } from 'node:child_process';
import { describe, test } from 'vitest';
import { useSamples } from './run-sample.ts';
import { findGuideExamples, findSamples } from './runner.ts';

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
});
