import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { LiveRequest } from '@speech-api/live';
import { createTickets, startRelay } from '@speech-api/relay';
import { closeServer, listenOnLoopback } from '@speech-api/run/servers';
import { type SandboxOptions, startSandbox } from '@speech-api/sandbox';
import { type AudioFormat, defaultModel } from '@speech-api/types';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { LiveProgram } from './live-program.ts';
import { sharedBrowser } from './use-browser.ts';

/** A page in Chromium with `live-program.ts` in it, a relay that lets it in, and a sandbox behind that. */
export interface OpenedPage {
  readonly page: Page;
  readonly hear: LiveProgram['hear'];
  readonly interrupt: LiveProgram['interrupt'];
  readonly sandboxUrl: string;
  /** Errors that were thrown in the page. */
  readonly failures: readonly string[];
}

/** Opens a live session and a player in a page of its own. All of it ends with the test. */
export async function openLivePage(
  request: LiveRequest & { readonly format: AudioFormat },
  options: SandboxOptions = {},
): Promise<OpenedPage> {
  const sandbox = await startSandbox({ port: 0, ...options });
  onTestFinished(() => sandbox.close());
  const tickets = createTickets({ secret: randomBytes(32) });
  const files: Readonly<Record<string, () => Promise<string>>> = {
    '/program.js': bundleProgram,
    // Beside the program, as an application that bundles the player has to serve it.
    '/worklet.js': () =>
      readFile(fileURLToPath(import.meta.resolve('@speech-api/audio/player/worklet')), 'utf8'),
    '/ticket': () => tickets.issue({ user: 'anna' }),
  };
  const server = createServer(async ({ url = '/' }, response) => {
    const file = files[url];
    response.setHeader('content-type', file ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(file ? await file() : '<!doctype html><script type="module" src="/program.js"></script>');
  });
  const port = await listenOnLoopback(server, 0);
  onTestFinished(() => closeServer(server));
  const origin = `http://127.0.0.1:${port}`;
  const relay = await startRelay({
    upstream: {
      webSocketUrl: sandbox.url.replace(/^http/, 'ws'),
      apiKey: 'sandbox-key',
      model: defaultModel,
    },
    origins: [origin],
    authorize: ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket)),
    // A hundred interruptions take a hundred sockets.
    limits: { startsPerUserAndMinute: 1000, startsPerOriginAndMinute: 1000 },
  });
  onTestFinished(() => relay.close());
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
  await call('open')(relay.url.replace(/^http/, 'ws'), request);
  return { page, hear: call('hear'), interrupt: call('interrupt'), sandboxUrl: sandbox.url, failures };
}

async function bundleProgram(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./live-program.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
