import { suite } from '@speech-api/config/suite';

// One sandbox, and one runtime after the other: side by side they would only wait for each other.
export default suite('test-runtimes', {
  include: ['runtimes/**/*.test.ts'],
  testTimeout: 90_000,
  hookTimeout: 120_000,
  fileParallelism: false,
});
