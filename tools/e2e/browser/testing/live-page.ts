import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LiveRequest } from '@speech-api/live';
import { startSandbox } from '@speech-api/sandbox';
import type { AudioFormat } from '@speech-api/types';
import { onTestFinished } from 'vitest';
import type { LiveProgram } from './live-program.ts';
import { bundleProgram, servePage, startTicketRelay } from './serve-program.ts';
import { sharedBrowser } from './use-browser.ts';

/**
 * Opens a live session and a player in a page of its own, behind a relay and a sandbox. All of it ends with the test.
 *
 * @param bytesPerSecond what the sandbox sends arrives no faster
 */
export async function openLivePage(
  request: LiveRequest & { readonly format: AudioFormat },
  bytesPerSecond = Number.POSITIVE_INFINITY,
) {
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  const line = createServer(async (socket) => {
    const upstream = connect(sandbox.port).on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy()).pipe(upstream);
    for await (const chunk of upstream) {
      socket.write(chunk);
      await wait((chunk.length / bytesPerSecond) * 1000);
    }
    socket.end();
  });
  await once(line.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void line.close());
  const { port } = line.address() as AddressInfo;
  const program = await bundleProgram({
    entryPoints: [fileURLToPath(new URL('./live-program.ts', import.meta.url))],
  });
  const origin = await servePage(
    () => program,
    async (_, response) => void response.end(await relay.ticket()),
  );
  const relay = await startTicketRelay(`http://127.0.0.1:${port}`, origin);
  const failures: string[] = [];
  const page = await (await sharedBrowser()).newPage();
  onTestFinished(() => page.close());
  page.on('pageerror', (error) => failures.push(String(error)));
  await page.goto(origin);
  await page.waitForFunction('window.live !== undefined');
  const call =
    <Name extends keyof LiveProgram>(name: Name) =>
    (...args: Parameters<LiveProgram[Name]>) =>
      page.evaluate(`window.live.${name}(...${JSON.stringify(args)})`) as ReturnType<LiveProgram[Name]>;
  await call('open')(relay.url, request);
  return { page, hear: call('hear'), interrupt: call('interrupt'), sandboxUrl: sandbox.url, failures };
}
