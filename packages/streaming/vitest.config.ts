import { defineConfig } from 'vitest/config';

// Thousands of streams go through some of these tests, and a busy machine may need long for them.
export default defineConfig({ test: { include: ['src/**/*.test.ts'], testTimeout: 60_000 } });
