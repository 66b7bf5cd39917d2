// # Production checklist
// Each choice that a service in production should make, with the reason beside it.
import { ApiError, createSpeechClient, createTrace, SpeechError, TimeoutError } from '@speech-api/client';

// 1. One client for the whole process: its queue keeps all calls within the limit of the account.
const client = createSpeechClient({
  // 2. The key comes from a secret store, at every request: a rotated key needs no restart.
  apiKey: async () => process.env.SPEECH_API_KEY ?? '',
  // 3. As many calls at once as the account allows; the others wait, but no longer than their caller does.
  concurrency: 5,
  timeouts: { queue: 5_000, headers: 20_000, firstByte: 10_000, idle: 10_000, total: 120_000 },
  // 4. A POST is billed, so it is sent once. Add 'POST' to `methods` only if paying twice is acceptable.
  retry: { retries: 2, methods: ['GET'] },
  // 5. Warnings go to the log of the service. It never gets the key, a text or audio.
  logger: { warn: (...line) => console.warn(...line) },
});

// 6. One trace per request of your own, so that support can find the calls that belong to it.
async function speak(
  text: string,
  traceparent: string | undefined,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const trace = createTrace(traceparent);
  // 7. A limit on what a user may send, in your own words, before anything is billed.
  if (text.length > 2000) throw new RangeError(`The text has ${text.length} characters; the limit is 2000.`);
  try {
    const audio = await client.speech.create({ text, format: 'opus' }, { signal, trace });
    // 8. Read to the end, cancel, or `await using`: a body that is left alone keeps its place in the queue.
    return await audio.bytes({ maximumBytes: 10_000_000 });
  } catch (error) {
    // 9. Codes decide and messages are for people; the trace id goes into the report to support.
    if (ApiError.isInstance(error)) console.error(error.code, error.status, error.traceId);
    else if (TimeoutError.isInstance(error)) console.error(error.code, error.phase);
    else if (SpeechError.isInstance(error)) console.error(error.code);
    throw error;
  }
}

// 10. When the process is told to end, what still runs is cancelled, and its connections close.
const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());

// 11. At the start: is the key accepted, and is there credit? Better now than at the first request.
const { credit } = await client.wallet.getApiCredit();
console.log(`credit ${credit}`);
console.log(`${(await speak('Ready.', undefined, ending.signal)).length} bytes`);
