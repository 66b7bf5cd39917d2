import { createSpeechClient, type SpeechClient } from '@speech-api/client';
import { type RecordedRequest, recordingFetch } from '../evidence/evidence.ts';
import { AddressError, readBaseUrl } from './address.ts';
import type { Connection } from './fields.ts';

/**
 * The project's own client for what the reader chose; each request is shown to `record` before it is sent, and
 * `answered` is called when its answer begins. Throws an {@link AddressError} where the base URL cannot be called.
 */
export function openClient(
  connection: Connection,
  record?: (request: RecordedRequest) => void,
  answered?: () => void,
): SpeechClient {
  const { origin } = new URL(readBaseUrl(connection.baseUrl));
  const send = async (input: Request | string, init?: RequestInit): Promise<Response> => {
    const { url } = typeof input === 'string' ? { url: input } : input;
    if (new URL(url).origin !== origin) throw new AddressError('baseUrl', `${url} is not at ${origin}.`);
    const response = await fetch(input, init);
    answered?.();
    return response;
  };
  return createSpeechClient({
    ...connection,
    allowBrowserKey: true,
    retry: { retries: 0 },
    fetch: record === undefined ? send : recordingFetch(send, record),
  });
}

/** Lets the client write a request and stops it at the door: what is shown before is what will be sent. */
export async function previewCall(
  connection: Connection,
  call: (client: SpeechClient) => Promise<unknown>,
): Promise<RecordedRequest | undefined> {
  let preview: RecordedRequest | undefined;
  const notSent = () => Promise.reject(new TypeError('a preview is not sent'));
  try {
    const client = createSpeechClient({
      ...connection,
      allowBrowserKey: true,
      trace: false,
      fetch: recordingFetch(notSent, (request) => {
        preview = request;
      }),
    });
    await call(client);
  } catch {
    // Settings that cannot work have no request; the call itself explains why.
  }
  return preview;
}
