import { complete, suite } from '@speech-api/config/suite';

export default suite('test-fresh', {
  include: ['fresh/**/*.test.ts'],
  // The first steps of a newcomer are always tested; a maintainer's tasks, in the complete run.
  exclude: complete ? [] : ['fresh/**/*.complete.test.ts'],
  testTimeout: 900_000,
  hookTimeout: 600_000,
  fileParallelism: false,
});
