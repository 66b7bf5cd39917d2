import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The package is imported by its own name in the tests of its vitest helper.
  test: { include: ['src/**/*.test.ts'] },
});
