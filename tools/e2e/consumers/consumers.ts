import { esbuild, jest, next, typescript, vite, vitest, webpack, workers } from './builds.ts';
import type { Consumer } from './consumer.ts';
import { command, deno, installer, node } from './node.ts';
import { servers } from './servers.ts';

/** One for each promise: the oldest Node, the command alone, the servers, every compiler, a bundle, and both test runners. */
export const short: readonly Consumer[] = [
  node('node20', '~20.19.0'),
  command('speech-node20', '~20.19.0'),
  servers,
  typescript,
  vite,
  jest,
  vitest,
];

/** All of them, in the order in which they run. */
export const consumers: readonly Consumer[] = [
  ...short,
  node('node24', '^24.0.0'),
  command('speech-node24', '^24.0.0'),
  esbuild,
  webpack,
  installer('pnpm'),
  node('node22', '~22.12.0'),
  node('node26', '^26.0.0'),
  installer('bun'),
  deno,
  workers,
  next,
];
