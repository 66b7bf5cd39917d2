import { defineConfig } from 'vitest/config';

// The samples with curl need bash and curl: see vitest.samples.config.ts.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 60_000 } });
