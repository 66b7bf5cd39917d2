import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['faults/**/*.test.ts'], testTimeout: 60_000, fileParallelism: false },
});
