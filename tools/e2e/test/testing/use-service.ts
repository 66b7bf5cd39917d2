import { createSpeechClient, type SpeechClient, type SpeechClientOptions } from '@speech-api/client';
import { startMock } from '@speech-api/mock';
import { startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, inject } from 'vitest';
import { type ServiceName, serviceName } from './service-name.ts';
import { serviceKey } from './shared-services.ts';

export { serviceKey } from './shared-services.ts';

/** A service as the tests see it, whichever it is. */
export interface ServiceUnderTest {
  readonly url: string;
  client(options?: SpeechClientOptions): SpeechClient;
}

const starts: Readonly<Record<ServiceName, () => Promise<{ readonly url: string; close(): Promise<void> }>>> =
  {
    sandbox: () => startSandbox({ port: 0 }),
    mock: () => startMock({ port: 0, keys: [serviceKey] }),
  };

/** The service of this run, unless a file names another. All files share it: nothing in it is theirs alone. */
export function useService(name: ServiceName = serviceName()): ServiceUnderTest {
  return testing(() => inject('services')[name]);
}

/**
 * A service on a port of its own, for a file that counts what is in it or what is under way, and for one that
 * transcribes: a sandbox knows again what it has spoken lately.
 */
export function useOwnService(name: ServiceName = serviceName()): ServiceUnderTest {
  let running: Awaited<ReturnType<(typeof starts)[ServiceName]>> | undefined;
  beforeAll(async () => {
    running = await starts[name]();
  });
  afterAll(async () => {
    await running?.close();
  });
  return testing(() => {
    if (!running) throw new Error(`the ${name} runs only while tests do`);
    return running.url;
  });
}

function testing(url: () => string): ServiceUnderTest {
  return {
    get url() {
      return url();
    },
    client: (options) => createSpeechClient({ apiKey: serviceKey, baseUrl: url(), ...options }),
  };
}
