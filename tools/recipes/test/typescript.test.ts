import { test } from 'vitest';
import { useSamples } from './sample-run.ts';

const { samples, runSample } = useSamples('typescript');

test.each(samples)('$sample.operationId in TypeScript runs', async (sample) => {
  await runSample(sample, process.execPath);
});
