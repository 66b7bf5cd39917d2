import { suite } from '@speech-api/config/suite';

export default suite('test-fresh', {
  include: ['fresh/**/*.test.ts'],
  testTimeout: 600_000,
  hookTimeout: 600_000,
  fileParallelism: false,
});
