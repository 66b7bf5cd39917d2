import { afterAll, test } from 'vitest';
import { notWrittenYet } from '../src/not-written-yet.ts';
import { useSamples } from '../src/sample-run.ts';

const { samples, runSample } = useSamples('typescript');

test.each(samples)('$sample.operationId in TypeScript runs', async (sample) => {
  await runSample(sample, process.execPath);
});

afterAll(() => {
  for (const { operationId, reason } of notWrittenYet) {
    process.stdout.write(`no sample yet: ${operationId}: ${reason}\n`);
  }
});
