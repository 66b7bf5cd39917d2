import { createSpeechClient } from '@speech-api/client';
import { type RecordedRequest, recordingFetch } from './recorded-request.ts';
import { type PlaygroundSettings, toRequest } from './settings.ts';

/** Lets the client write its request and stops it at the door: what is shown before Speak is what Speak will send. */
export async function previewRequest(settings: PlaygroundSettings): Promise<RecordedRequest | undefined> {
  let preview: RecordedRequest | undefined;
  const notSent = () => Promise.reject(new TypeError('a preview is not sent'));
  try {
    const client = createSpeechClient({
      baseUrl: settings.baseUrl,
      apiKey: settings.apiKey,
      allowBrowserKey: true,
      trace: false,
      fetch: recordingFetch(notSent, (request) => {
        preview = request;
      }),
    });
    await client.speech.streamWithTimestamps(toRequest(settings), { model: settings.model });
  } catch {
    // Settings that cannot work have no request; Speak explains why.
  }
  return preview;
}
