import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Engines are processes of their own: on a machine busy with other suites a first word takes seconds.
    testTimeout: 60_000,
  },
});
