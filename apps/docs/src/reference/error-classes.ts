import { createSpeechClient, SpeechError } from '@speech-api/client';

/**
 * The error class of our client for each status: found out by answering a call with it, so that the page cannot
 * say anything else than the client does.
 */
export async function errorClasses(statuses: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const entries = [...new Set(statuses)].map(async (status) => [status, await errorClass(status)] as const);
  return new Map(await Promise.all(entries));
}

async function errorClass(status: number): Promise<string> {
  const client = createSpeechClient({
    apiKey: 'none',
    baseUrl: 'http://127.0.0.1',
    fetch: async () => Response.json({ status, message: '' }, { status }),
    retry: { retries: 0 },
  });
  const error = await client.models.get('none').then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (SpeechError.isInstance(error)) return error.name;
  throw new Error(`the client answered a status ${status} without an error`, { cause: error });
}
