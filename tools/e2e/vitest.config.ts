import { defineConfig } from 'vitest/config';

// The browser and the fault suites have configurations of their own: they need more than Node. So has the whole mutation
// score, which takes minutes: what runs here is the catalogue's own tests and one mutant of each kind.
export default defineConfig({
  test: {
    include: ['{test,mutants}/**/*.test.ts'],
    exclude: ['mutants/mutation-score.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
