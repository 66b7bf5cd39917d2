import { complete, suite } from '@speech-api/config/suite';

export default suite('test-fresh', {
  include: ['fresh/**/*.test.ts'],
  // What a newcomer does first is always tested; what a maintainer does, in the complete run.
  exclude: complete ? [] : ['fresh/**/*.complete.test.ts'],
  testTimeout: 900_000,
  hookTimeout: 600_000,
  fileParallelism: false,
});
