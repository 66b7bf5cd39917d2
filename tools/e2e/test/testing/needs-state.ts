import { test } from 'vitest';
import { serviceName } from './service-name.ts';

/**
 * Tests that need a service with state: the name of each test, and its reason. The mock keeps no state, so it
 * skips them; all other tests run against both.
 */
export const needsState = {
  'a key without credit gives its own error': 'an account whose credit is used up',
  'a key whose account is always busy gives its own error': 'an account at its concurrency limit',
  "leaving, cancelling and aborting free the account's place at once": 'a count of requests under way',
  'a dialogue is spoken by two voices': 'voices that differ',
  'a voice that does not exist is refused by its name': 'a store of voices',
  'the list has the first page when awaited and every voice when iterated': 'a store with several voices',
  'filters and order reach the service': 'a store with several voices',
  "one voice, one that is nobody's and one that is somebody else's": 'a store of voices with owners',
  'the wallet of the key is there by both of its names, and no other': 'accounts with owners',
  'what was created is found, changed and gone': 'a store of voices',
} as const satisfies Readonly<Record<string, string>>;

/** A test of the list above: run against the sandbox alone. */
export function testWithState(name: keyof typeof needsState, run: () => Promise<void>): void {
  if (serviceName() === 'sandbox') test(name, run);
}
