import { defineConfig } from 'vitest/config';

// Thousands of streams go through some of these tests, and a busy machine may need long for them.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: ['../../tools/config/src/seed-properties.ts'],
    testTimeout: 60_000,
  },
});
