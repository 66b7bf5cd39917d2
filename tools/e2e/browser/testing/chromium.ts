import { existsSync } from 'node:fs';
import { type BrowserServer, chromium } from 'playwright-core';

/** Debian's path; `CHROMIUM_PATH` overrides it. */
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** A browser that only reaches this machine and lets pages play sound without a click. */
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
      // Requests to other hosts fail at once, and are in the list of requests.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}
