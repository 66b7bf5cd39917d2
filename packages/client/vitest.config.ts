import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    // One test asks for a garbage collection.
    execArgv: ['--expose-gc'],
    setupFiles: ['src/testing/search-log.ts'],
  },
});
