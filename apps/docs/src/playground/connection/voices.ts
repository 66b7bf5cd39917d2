import type { VoiceModel } from '@speech-api/types';
import { find } from '../page/page.ts';
import { openClient } from './connection.ts';
import type { Connection } from './fields.ts';

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

/** `zh` when the text is mostly Chinese, else undefined: enough to choose a voice and a font by. */
export function languageOf(text: string): 'zh' | undefined {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters > 0 && han / letters > 0.3 ? 'zh' : undefined;
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

/** The value of the choice that lets the reader type an id. */
const otherVoice = '*';

/** The choice of one voice: the service's own, a listed one, or any id. */
export class VoiceField {
  readonly #select: HTMLSelectElement;
  readonly #own: HTMLInputElement;
  readonly #ownField: HTMLElement;
  #voices: readonly Voice[] = [];
  #isChosen = false;

  constructor(form: HTMLFormElement) {
    this.#select = find(form, '[name="voice"]');
    this.#own = find(form, '[name="voiceId"]');
    this.#ownField = find(form, '[data-other-voice]');
    this.#select.addEventListener('change', () => {
      this.#isChosen = true;
      this.#reflect();
    });
    this.#reflect();
  }

  /** The id that was chosen; empty for the service's own choice. */
  get id(): string {
    const { value } = this.#select;
    return value === otherVoice ? this.#own.value.trim() : value;
  }

  /** Whether the reader chose it. */
  get isChosen(): boolean {
    return this.#isChosen;
  }

  /** Chooses a voice for the reader, also one that is not listed yet. */
  take(id: string): void {
    this.#isChosen = true;
    if (this.#offers(id)) this.#select.value = id;
    else {
      this.#select.value = otherVoice;
      this.#own.value = id;
    }
    this.#reflect();
  }

  /** Offers the voices that the service listed. */
  offer(voices: readonly Voice[], text: string): void {
    this.#voices = voices;
    const { kept } = offerVoices(this.#select, voices);
    // It may have been named before it was known.
    if (this.#select.value === otherVoice && this.#offers(this.#own.value))
      this.#select.value = this.#own.value;
    this.#reflect();
    this.#isChosen &&= kept;
    this.suit(text);
  }

  /** Takes a voice that speaks the language of a text, unless the reader took one. */
  suit(text: string): void {
    if (this.#isChosen) return;
    const voice = suitableVoice(this.#voices, languageOf(text) ?? 'en');
    if (voice) this.#select.value = voice.id;
  }

  #offers(id: string): boolean {
    return [...this.#select.options].some(({ value }) => value === id);
  }

  #reflect(): void {
    this.#ownField.hidden = this.#select.value !== otherVoice;
  }
}

function canSpeak(model: VoiceModel): boolean {
  return model.type === 'tts' && model.state === 'trained';
}
