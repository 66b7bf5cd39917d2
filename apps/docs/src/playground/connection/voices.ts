import { createSpeechClient } from '@speech-api/client';
import type { VoiceModel } from '@speech-api/types';

/** A voice to choose from. */
export interface Voice {
  readonly id: string;
  readonly title: string;
  readonly languages: readonly string[];
}

/** How many voices the page asks for: one page is plenty to choose from, any other id can be typed. */
const pageSize = 50;

/** Voices that can speak, as the service lists them. Throws the errors of the client. */
export async function listVoices(baseUrl: string, apiKey: string): Promise<Voice[]> {
  const client = createSpeechClient({ baseUrl, apiKey, allowBrowserKey: true, retry: { retries: 0 } });
  const { items } = await client.models.list({ page_size: pageSize });
  return items.filter(canSpeak).map((model) => ({
    id: model._id,
    title: model.title,
    languages: model.languages ?? [],
  }));
}

/** The first voice of the language of the text; English where the text says nothing else. */
export function suitableVoice(voices: readonly Voice[], language: string): Voice | undefined {
  return voices.find((voice) => voice.languages.includes(language)) ?? voices[0];
}

function canSpeak(model: VoiceModel): boolean {
  return model.type === 'tts' && model.state === 'trained';
}
