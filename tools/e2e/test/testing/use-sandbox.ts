import { type ServiceUnderTest, serviceKey, useOwnService, useService } from './use-service.ts';

/** The key of the sandbox that works out of the box. */
export const sandboxKey = serviceKey;

/** The speaking sandbox that all files share: for what nothing else can show. */
export function useSandbox(): ServiceUnderTest {
  return useService('sandbox');
}

export function useOwnSandbox(): ServiceUnderTest {
  return useOwnService('sandbox');
}
