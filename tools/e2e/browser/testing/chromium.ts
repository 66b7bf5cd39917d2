import { existsSync } from 'node:fs';
import { type BrowserServer, chromium } from 'playwright-core';

/** Debian's path; `CHROMIUM_PATH` overrides it. */
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** A browser that talks to this machine alone and lets pages sound without a click. */
export async function launchChromium(): Promise<BrowserServer> {
  if (!existsSync(executablePath))
    throw new Error(`There is no browser at ${executablePath}. Install chromium or set CHROMIUM_PATH.`);
  return chromium.launchServer({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--autoplay-policy=no-user-gesture-required',
      // Whatever a page might ask of the world outside fails at once, and shows in the list of requests.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}
