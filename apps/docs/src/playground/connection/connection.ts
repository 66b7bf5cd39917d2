import { createSpeechClient, type SpeechClient } from '@speech-api/client';
import { keyVariable, type PreviewedRequest } from '../evidence/write-code.ts';
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

/** Lets the client write a request and stops it at the door: what is shown is what the same call sends. */
export async function previewCall(
  connection: Connection,
  call: (client: SpeechClient) => Promise<unknown>,
): Promise<PreviewedRequest | undefined> {
  let preview: PreviewedRequest | undefined;
  try {
    const client = createSpeechClient({
      ...connection,
      allowBrowserKey: true,
      trace: false,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data');
        const body = await (isForm ? request.formData() : request.text());
        const headers = [...request.headers].map(
          ([name, value]) =>
            [name, name === 'authorization' ? value.replace(/\S+$/, keyVariable) : value] as const,
        );
        preview = { method: request.method, url: request.url, headers, body };
        throw new TypeError('a preview is not sent');
      },
    });
    await call(client);
  } catch {
    // Settings that cannot work have no request; the call itself explains why.
  }
  return preview;
}
