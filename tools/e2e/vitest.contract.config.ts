import { defineConfig } from 'vitest/config';

// Every mutant, one after the other, on one sandbox: side by side the judge would see the breaks of others.
export default defineConfig({
  test: {
    include: ['contract/**/*.test.ts', 'mutants/mutation-score.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
