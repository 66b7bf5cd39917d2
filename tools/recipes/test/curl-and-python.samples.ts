import { spawnSync } from 'node:child_process';
import { describe, test } from 'vitest';
import { useSamples } from './sample-run.ts';

/** The python3 of the path may be somebody's own; Debian's has Debian's package `python3-requests`. */
const python =
  ['python3', '/usr/bin/python3'].find(
    (program) => spawnSync(program, ['-c', 'import requests']).status === 0,
  ) ?? 'python3';

describe.each([
  {
    language: 'curl',
    program: 'bash',
    tools: [
      ['bash', '--version'],
      ['curl', '--version'],
    ],
  },
  { language: 'python', program: python, tools: [[python, '-c', 'import requests']] },
] as const)('in $language', ({ language, program, tools }) => {
  const missing = tools
    .filter(([tool, ...words]) => spawnSync(tool, words).status !== 0)
    .map((tool) => tool.join(' '));
  // In CI nothing is left out: there a missing tool fails each of these.
  describe.skipIf(missing.length > 0 && process.env.CI === undefined)(
    missing.length > 0 ? `which fails here: ${missing.join(', ')}` : 'the samples',
    () => {
      const { samples, runSample } = useSamples(language);
      test.each(samples)('$sample.operationId runs', async (sample) => {
        await runSample(sample, program);
      });
    },
  );
});
