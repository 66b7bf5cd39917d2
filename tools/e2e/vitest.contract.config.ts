import { suite } from '@speech-api/config/suite';

// One mutant after the other, on one sandbox: side by side the judge would see the breaks of others.
export default suite('test-contract', {
  include: ['contract/**/*.test.ts', 'mutants/mutation-score.test.ts'],
  testTimeout: 120_000,
  fileParallelism: false,
});
