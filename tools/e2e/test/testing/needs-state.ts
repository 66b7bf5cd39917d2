import { test } from 'vitest';
import { serviceName } from './service-name.ts';

/** A test of voices, accounts or a count of requests under way: the mock keeps no state, so it skips them. */
export function testWithState(name: string, run: () => Promise<void>): void {
  if (serviceName() === 'sandbox') test(name, run);
}
