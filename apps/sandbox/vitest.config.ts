import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Not test-audio, which needs ffmpeg, nor the engines, which are workspaces of their own.
    include: ['{src,test}/**/*.test.ts'],
    setupFiles: ['../../tools/config/src/seed-properties.ts'],
    // Engines are processes of their own: on a machine busy with other suites a first word takes seconds.
    testTimeout: 60_000,
  },
});
