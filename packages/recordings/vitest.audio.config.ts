import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test-audio/**/*.test.ts'],
    testTimeout: 60_000,
    // One test listens while ffmpeg works for another one.
    sequence: { concurrent: true },
    maxConcurrency: 2,
  },
});
