import { type RunningRelay, startRelay } from '@speech-api/relay';
import { defaultModel } from '@speech-api/types';
import type { BrowserUnderTest } from './use-browser.ts';

/** A relay with the settings of `npm start`. */
export function startSiteRelay({ sandbox, site }: BrowserUnderTest, port = 0): Promise<RunningRelay> {
  return startRelay({
    port,
    upstream: {
      webSocketUrl: sandbox.url.replace('http', 'ws'),
      apiKey: 'sandbox-key',
      model: defaultModel,
    },
    origins: [new URL(site.url).origin],
    authorize: () => ({ user: 'developer' }),
    limits: { startsPerUserAndMinute: 1000, drainSeconds: 0.1 },
  });
}
