import { configDefaults, defineConfig } from 'vitest/config';

// The tests of Redis have a configuration of their own: they need more than Node.
export default defineConfig({
  test: { include: ['src/**/*.test.ts'], exclude: [...configDefaults.exclude, 'src/redis.test.ts'] },
});
