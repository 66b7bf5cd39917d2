import type { TestProject } from 'vitest/node';
import { startServerProcess } from './server-process.ts';
import type { ServiceName } from './service-name.ts';

declare module 'vitest' {
  interface ProvidedContext {
    services: Readonly<Record<ServiceName, string>>;
  }
}

/** The valid key: the sandbox's own, and the only one of the mock. */
export const serviceKey = 'sandbox-key';

/** Starts one sandbox and one mock for a whole run, because engines need seconds to start. */
export default async function shareServices(project: TestProject): Promise<() => Promise<void>> {
  const sandbox = await startServerProcess('sandbox');
  const mock = await startServerProcess('mock', ['--key', serviceKey]);
  project.vitest.provide('services', { sandbox: sandbox.url, mock: mock.url });
  return async () => {
    await sandbox.kill('SIGTERM');
    await mock.kill('SIGTERM');
  };
}
