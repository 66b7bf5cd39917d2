import { defineConfig } from 'vitest/config';

// One sandbox, and one runtime after the other: side by side they would only wait for each other.
export default defineConfig({
  test: {
    include: ['runtimes/**/*.test.ts'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
