import { defineConfig } from 'vitest/config';

// The browser and the fault suites have configurations of their own: they need more than Node.
export default defineConfig({
  test: { include: ['test/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 30_000 },
});
