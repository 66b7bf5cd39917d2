import { defineConfig } from 'vitest/config';

// One browser, one sandbox, and sound in real time: side by side the tests would only wait for each other.
export default defineConfig({
  test: {
    include: ['browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
