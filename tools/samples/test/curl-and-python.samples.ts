import { spawnSync } from 'node:child_process';
import { describe, test } from 'vitest';
import { useSamples } from '../src/sample-run.ts';

describe.each([
  {
    language: 'curl',
    program: 'bash',
    tools: [
      ['bash', '--version'],
      ['curl', '--version'],
    ],
  },
  { language: 'python', program: 'python3', tools: [['python3', '-c', 'import requests']] },
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
