import { createSpeechClient } from '@speech-api/client';
import { find } from '../page/page.ts';
import { type Connection, clientOptions } from './fields.ts';

/** Number of voices to request. One page is enough to choose from; any other id can be typed. */
const pageSize = 50;

/** Offers the voices of a service in the field that takes their ids. Throws the errors of the client. */
export async function offerVoices(form: HTMLFormElement, connection: Connection): Promise<void> {
  const { items } = await createSpeechClient(clientOptions(connection)).models.list({ page_size: pageSize });
  const voices = items.filter(({ type, state }) => type === 'tts' && state === 'trained');
  const options = voices.map(
    ({ _id, title, languages = [] }) =>
      new Option(languages.length > 0 ? `${title} (${languages.join(', ')})` : title, _id),
  );
  find(form, 'datalist').replaceChildren(...options);
}

/** The voice that was chosen, or the voices of a dialogue, which are separated by commas; neither for the service's own. */
export function readVoice(form: HTMLFormElement): { reference_id?: string | string[] } {
  const text = find<HTMLInputElement>(form, '[name="voice"]').value;
  const [voice, ...others] = text.split(',').map((id) => id.trim());
  if (voice === undefined || voice === '') return {};
  return { reference_id: others.length > 0 ? [voice, ...others] : voice };
}
