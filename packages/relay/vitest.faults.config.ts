import { defineConfig } from 'vitest/config';

// What needs a real redis-server.
export default defineConfig({
  test: {
    include: ['src/redis.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    fileParallelism: false,
  },
});
