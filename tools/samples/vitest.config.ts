import { defineConfig } from 'vitest/config';

// Running the samples needs bash and curl: see vitest.samples.config.ts.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 60_000 } });
