import type { TestProject } from 'vitest/node';
import { startServerProcess } from '../../test/testing/server-process.ts';
import { launchChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sandboxUrl: string;
    browserUrl: string;
  }
}

/** Starts one sandbox and one browser for a whole run: both take seconds. */
export default async function shareSandbox(project: TestProject): Promise<() => Promise<void>> {
  const [sandbox, browser] = await Promise.all([startServerProcess('sandbox'), launchChromium()]);
  project.provide('sandboxUrl', sandbox.url);
  project.provide('browserUrl', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await sandbox.kill('SIGTERM');
  };
}
