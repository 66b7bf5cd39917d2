import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's path; `CHROMIUM_PATH` overrides it. */
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Reason to skip tests with a browser; undefined if there is one. In CI, they are never skipped. */
export const missingChromium: string | undefined =
  existsSync(executablePath) || process.env.CI !== undefined
    ? undefined
    : `no browser at ${executablePath}: install chromium or set CHROMIUM_PATH`;

/**
 * A browser that talks to this machine alone and lets pages sound without a click.
 *
 * @param microphoneFile the wav file that its microphone hears, over and over
 */
export async function launchChromium(microphoneFile = ''): Promise<Browser> {
  if (missingChromium !== undefined) throw new Error(missingChromium);
  return chromium.launch({
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
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      ...(microphoneFile === '' ? [] : [`--use-file-for-fake-audio-capture=${microphoneFile}`]),
    ],
  });
}
