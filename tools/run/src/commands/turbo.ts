import { turbo } from '../turbo.ts';

/** Hands everything on to turbo, with the environment of the runner. */
export function run(args: readonly string[]): Promise<number> {
  return turbo(args);
}
