import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

type Settings = NonNullable<ViteUserConfig['test']>;

/** Deadlines that a busy machine keeps: a test waits for a condition, never for a time. */
export const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
} satisfies Settings;

/** Gives properties the same seed in every run; for the packages that have some. */
export const seeded = { setupFiles: [fileURLToPath(new URL('./seed-properties.ts', import.meta.url))] };

/** Is this run of a long suite the complete one? Without EVERY_CASE=1 a suite keeps one case for each promise. */
export const complete = process.env.EVERY_CASE === '1';

/**
 * The configuration of one suite of a workspace. Its results are also written as JSON, which the runner adds up. They are
 * named here and not by arguments: what follows `--` would change the hash of every task.
 */
export function suite(name: string, settings: Settings = {}): ViteUserConfig {
  return defineConfig({
    test: {
      ...patience,
      reporters: ['default', ['json', { outputFile: `out/${name}-results.json` }]],
      ...settings,
    },
  });
}
