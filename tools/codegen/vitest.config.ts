import { defineConfig } from 'vitest/config';

// The formatter is another process: generous where the whole task graph shares two cores.
export default defineConfig({ test: { testTimeout: 30_000 } });
