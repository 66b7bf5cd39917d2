import { defineConfig } from 'vitest/config';

// What needs ffmpeg is in test-audio and has a configuration of its own.
export default defineConfig({
  test: { include: ['src/**/*.test.ts'], setupFiles: ['../../tools/config/src/seed-properties.ts'] },
});
