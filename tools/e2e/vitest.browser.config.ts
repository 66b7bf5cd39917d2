import { defineConfig } from 'vitest/config';

// One browser, one sandbox, and sound in real time: side by side the tests would only wait for each other.
export default defineConfig({
  test: {
    include: ['browser/**/*.test.ts'],
    testTimeout: 60_000,
    // A real browser on a shared machine: where CI is set a test gets one more try, and the report says that it did.
    retry: process.env.CI === undefined ? 0 : 1,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
