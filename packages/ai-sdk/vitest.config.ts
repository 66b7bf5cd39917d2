import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { setupFiles: ['../../tools/config/src/seed-properties.ts'] } });
