import { spawnSync } from 'node:child_process';
import { describe, test } from 'vitest';
import { useSamples } from '../src/sample-run.ts';

const missingTools = ['bash', 'curl'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);

// In CI nothing is left out: there a missing tool fails each of these.
describe.skipIf(missingTools.length > 0 && process.env.CI === undefined)(
  missingTools.length > 0 ? `with curl (missing here: ${missingTools.join(', ')})` : 'with curl',
  () => {
    const { samples, runSample } = useSamples('curl');
    test.each(samples)('$sample.operationId with curl runs', async (sample) => {
      await runSample(sample, 'bash');
    });
  },
);
