import { fileURLToPath } from 'node:url';
import type { LiveRequest } from '@speech-api/live';
import { type SandboxOptions, startSandbox } from '@speech-api/sandbox';
import type { AudioFormat } from '@speech-api/types';
import { onTestFinished } from 'vitest';
import type { LiveProgram } from './live-program.ts';
import { bundleProgram, servePage, startTicketRelay } from './serve-program.ts';
import { sharedBrowser } from './use-browser.ts';

/** Opens a live session and a player in a page of its own, behind a relay and a sandbox. All of it ends with the test. */
export async function openLivePage(
  request: LiveRequest & { readonly format: AudioFormat },
  options: SandboxOptions = {},
) {
  const sandbox = await startSandbox({ port: 0, ...options });
  onTestFinished(() => sandbox.close());
  const program = await bundleProgram({
    entryPoints: [fileURLToPath(new URL('./live-program.ts', import.meta.url))],
  });
  const origin = await servePage(
    () => program,
    async (_, response) => void response.end(await relay.ticket()),
  );
  const relay = await startTicketRelay(sandbox.url, origin);
  const failures: string[] = [];
  const page = await (await sharedBrowser()).newPage();
  onTestFinished(() => page.close());
  page.on('pageerror', (error) => failures.push(String(error)));
  await page.goto(origin);
  await page.waitForFunction('window.live !== undefined');
  const call =
    <Name extends keyof LiveProgram>(name: Name) =>
    (...given: Parameters<LiveProgram[Name]>) =>
      page.evaluate(`window.live.${name}(...${JSON.stringify(given)})`) as ReturnType<LiveProgram[Name]>;
  await call('open')(relay.url, request);
  return { page, hear: call('hear'), interrupt: call('interrupt'), sandboxUrl: sandbox.url, failures };
}
