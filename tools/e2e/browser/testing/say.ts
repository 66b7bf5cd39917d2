import { finishWav } from '@speech-api/audio';
import { createSpeechClient } from '@speech-api/client';

/** A text as the sandbox says it, as a wav file; the sandbox can tell its words afterwards. */
export async function sayAsWav(baseUrl: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const client = createSpeechClient({ baseUrl, apiKey: 'sandbox-key' });
  const audio = await client.speech.create({ text, format: 'wav', reference_id: 'sandbox-alba' });
  return finishWav(await audio.bytes());
}
