import { defineConfig } from 'vitest/config';

// One consumer after the other: they share an installation.
export default defineConfig({
  test: {
    include: ['consumers/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    expect: { poll: { timeout: 30_000 } },
  },
});
