import { suite } from '@speech-api/config/suite';

// One sandbox, and one runtime after the other: side by side they would only wait for each other.
export default suite('test-runtimes', {
  include: ['runtimes/**/*.test.ts'],
  testTimeout: 90_000,
  // An install takes 2 s, and minutes where cache and processor are not free; its own limit of 300 s names what it ran.
  hookTimeout: 330_000,
  fileParallelism: false,
});
