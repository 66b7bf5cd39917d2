import { defineConfig } from 'vitest/config';

// Bundling and compiling take seconds on a busy machine. Nothing here asserts a time.
export default defineConfig({ test: { include: ['src/**/*.test.ts'], testTimeout: 120_000 } });
