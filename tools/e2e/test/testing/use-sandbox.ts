import { createSpeechClient, type SpeechClient, type SpeechClientOptions } from '@speech-api/client';
import { startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll } from 'vitest';

/** The key that works out of the box. */
export const sandboxKey = 'sandbox-key';

export interface SandboxUnderTest {
  /** Base URL of the sandbox of this file. */
  readonly url: string;
  /** A client of it. */
  client(options?: SpeechClientOptions): SpeechClient;
}

/** One speaking sandbox for the tests of a file, on a port of its own. */
export function useSandbox(): SandboxUnderTest {
  let running: Awaited<ReturnType<typeof startSandbox>> | undefined;
  beforeAll(async () => {
    running = await startSandbox({ port: 0 });
  });
  afterAll(async () => {
    await running?.close();
  });
  const url = (): string => {
    if (!running) throw new Error('the sandbox runs only while tests do');
    return running.url;
  };
  return {
    get url() {
      return url();
    },
    client: (options) => createSpeechClient({ apiKey: sandboxKey, baseUrl: url(), ...options }),
  };
}
