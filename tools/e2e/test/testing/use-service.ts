import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSpeechClient, type SpeechClient, type SpeechClientOptions } from '@speech-api/client';
import { startContractProxy } from '@speech-api/contract';
import { startMock } from '@speech-api/mock';
import { startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, inject } from 'vitest';
import { type ServiceName, serviceName } from './service-name.ts';
import { serviceKey } from './shared-services.ts';

export { serviceKey } from './shared-services.ts';

/** A service as the tests see it, whichever it is. */
export interface ServiceUnderTest {
  /** Base URL of the service of this file. */
  readonly url: string;
  /** A client of it. */
  client(options?: SpeechClientOptions): SpeechClient;
}

const starts: Readonly<Record<ServiceName, () => Promise<{ readonly url: string; close(): Promise<void> }>>> =
  {
    sandbox: () => startSandbox({ port: 0 }),
    mock: () => startMock({ port: 0, keys: [serviceKey] }),
  };

/** Folder for the reports of the judging proxy between the tests and their service; no proxy if unset. */
const reports = process.env.SPEECH_PROXY_REPORTS;

/** A service with the proxy of `speech-contract` before it. */
async function behindProxy(name: ServiceName, folder: string) {
  const service = await starts[name]();
  const profile = name === 'mock' ? 'stateless' : 'full';
  const proxy = await startContractProxy({ upstream: service.url, port: 0, profile, deterministic: true });
  return {
    url: proxy.url,
    close: async () => {
      writeFileSync(join(folder, `${name}-${randomUUID()}.json`), JSON.stringify(await proxy.close()));
      await service.close();
    },
  };
}

/** The service of this run, unless a file names another. All files share it: nothing in it is theirs alone. */
export function useService(name: ServiceName = serviceName()): ServiceUnderTest {
  return reports === undefined ? testing(() => inject('services')[name]) : useOwnService(name);
}

/**
 * A service on a port of its own, for a file that counts what is in it or what is under way, and for one that
 * transcribes: a sandbox knows again what it has spoken lately.
 */
export function useOwnService(name: ServiceName = serviceName()): ServiceUnderTest {
  let running: Awaited<ReturnType<(typeof starts)[ServiceName]>> | undefined;
  beforeAll(async () => {
    running = reports === undefined ? await starts[name]() : await behindProxy(name, reports);
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
