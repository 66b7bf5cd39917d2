import { defineConfig } from 'vitest/config';

// What needs openssl, ffmpeg, Bun or Deno: see vitest.samples.config.ts.
export default defineConfig({
  test: { include: ['test/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
