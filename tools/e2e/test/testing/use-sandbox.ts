import { type ServiceUnderTest, serviceKey, useService } from './use-service.ts';

/** The key of the sandbox that works out of the box. */
export const sandboxKey = serviceKey;

/** One speaking sandbox for the tests of a file, on a port of its own: for what nothing else can show. */
export function useSandbox(): ServiceUnderTest {
  return useService('sandbox');
}
