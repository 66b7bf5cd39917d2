import { createSpeechClient, type SpeechClient } from '@speech-api/client';
import { AddressError, readBaseUrl } from './address.ts';
import type { Connection } from './fields.ts';

/**
 * The project's own client for what the reader chose; `answered` is called when an answer begins. Throws an
 * {@link AddressError} where the base URL cannot be called.
 */
export function openClient(connection: Connection, answered = (): void => {}): SpeechClient {
  const { origin } = new URL(readBaseUrl(connection.baseUrl));
  return createSpeechClient({
    ...connection,
    allowBrowserKey: true,
    retry: { retries: 0 },
    fetch: async (input, init) => {
      const { url } = typeof input === 'string' ? { url: input } : input;
      if (new URL(url).origin !== origin) throw new AddressError('baseUrl', `${url} is not at ${origin}.`);
      const response = await fetch(input, init);
      answered();
      return response;
    },
  });
}
