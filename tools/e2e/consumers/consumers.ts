import supported from '@speech-api/config/supported-versions' with { type: 'json' };
import { esbuild, jest, next, typescript, vite, vitest, webpack, workers } from './builds.ts';
import type { Consumer } from './consumer.ts';
import { command, deno, installer, node } from './node.ts';
import { servers } from './servers.ts';

/** Each version of Node that SUPPORT.md promises, the oldest first. */
const [oldest = [], ...newer] = supported.node.map(({ major, tested }) => [
  node(`node${major}`, tested),
  command(`speech-node${major}`, tested),
]);

/** One for each promise: the oldest Node, the command alone, the servers, every compiler, a bundle, and both test runners. */
export const short: readonly Consumer[] = [...oldest, servers, typescript, vite, jest, vitest];

/** All of them, in the order in which they run. */
export const consumers: readonly Consumer[] = [
  ...short,
  ...newer.flat(),
  esbuild,
  webpack,
  installer('pnpm'),
  installer('bun'),
  deno,
  workers,
  next,
];
