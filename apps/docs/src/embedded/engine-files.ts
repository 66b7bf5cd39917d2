import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';

/** The engine for web pages, as its own build writes it: a program of its own, which pages start as a worker. */
const engine = fileURLToPath(new URL('../../../sandbox/engines/espeak/dist/browser/', import.meta.url));

/** Puts the engine, its licence and the way to its source beside the built pages, below `/engine/`. */
export function engineFiles(): AstroIntegration {
  return {
    name: 'engine-files',
    hooks: {
      async 'astro:build:done'({ dir }) {
        await cp(engine, fileURLToPath(new URL('engine/', dir)), { recursive: true });
      },
    },
  };
}
