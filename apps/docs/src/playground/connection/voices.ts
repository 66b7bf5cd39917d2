import type { VoiceModel } from '@speech-api/types';
import type { Connection } from './connection.ts';
import { openClient } from './connection.ts';

/** A voice to choose from. */
export interface Voice {
  readonly id: string;
  readonly title: string;
  readonly languages: readonly string[];
}

/** How many voices the page asks for: one page is plenty to choose from, any other id can be typed. */
const pageSize = 50;

/** Voices that can speak, as the service lists them. Throws the errors of the client. */
export async function listVoices(connection: Connection): Promise<Voice[]> {
  const { items } = await openClient(connection).models.list({ page_size: pageSize });
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

/** Puts the voices into a list, before its last entry where that is the one for another id; keeps what is chosen. */
export function offerVoices(select: HTMLSelectElement, voices: readonly Voice[]): { kept: boolean } {
  const chosen = select.value;
  for (const option of [...select.options]) if (option.dataset.listed !== undefined) option.remove();
  const last = select.querySelector('option[data-other]');
  for (const { id, title, languages } of voices) {
    const option = new Option(languages.length > 0 ? `${title} (${languages.join(', ')})` : title, id);
    option.dataset.listed = '';
    select.insertBefore(option, last);
  }
  // Of another service the chosen voice may be unknown; then the choice begins anew.
  const kept = [...select.options].some((option) => option.value === chosen);
  select.value = kept ? chosen : (select.options[0]?.value ?? '');
  return { kept };
}

function canSpeak(model: VoiceModel): boolean {
  return model.type === 'tts' && model.state === 'trained';
}
