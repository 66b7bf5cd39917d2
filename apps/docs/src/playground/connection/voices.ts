import type { VoiceModel } from '@speech-api/types';
import { find } from '../page/page.ts';
import { openClient } from './connection.ts';
import type { Connection } from './fields.ts';

export interface Voice {
  readonly id: string;
  readonly title: string;
  readonly languages: readonly string[];
}

/** Number of voices to request. One page is enough to choose from; any other id can be typed. */
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
function offerVoices(select: HTMLSelectElement, voices: readonly Voice[], place = 0): { kept: boolean } {
  const chosen = select.value;
  for (const option of [...select.options]) if (option.dataset.listed !== undefined) option.remove();
  const last = select.querySelector('option[data-other]');
  for (const { id, title, languages } of voices) {
    const option = new Option(languages.length > 0 ? `${title} (${languages.join(', ')})` : title, id);
    option.dataset.listed = '';
    select.insertBefore(option, last);
  }
  // Of another service the chosen voice may be unknown; then the choice begins anew.
  const kept = offers(select, chosen);
  select.value = kept ? chosen : (select.options[place % select.options.length]?.value ?? '');
  return { kept };
}

function offers(select: HTMLSelectElement, id: string): boolean {
  return [...select.options].some(({ value }) => value === id);
}

/** Voices of the sandbox for a dialogue, until the service has listed its own. */
const sampleVoices = ['sandbox-alba', 'sandbox-blake', 'sandbox-cleo', 'sandbox-mei'].map((id) => ({
  id,
  title: id,
  languages: [],
}));

/** The voice of each speaker of a dialogue. */
export class SpeakerFields {
  readonly #list: HTMLElement;
  readonly #template: HTMLTemplateElement;
  #voices: readonly Voice[] = sampleVoices;

  constructor(form: HTMLFormElement) {
    this.#list = find(form, '[data-speakers]');
    this.#template = find(form, '[data-speaker-template]');
  }

  get voices(): string[] {
    return this.#selects.map(({ value }) => value);
  }

  get #selects(): HTMLSelectElement[] {
    return [...this.#list.querySelectorAll('select')];
  }

  /** Shows one choice for each name; a speaker who was there keeps the voice. */
  name(names: readonly string[]): void {
    while (this.#list.children.length > names.length) this.#list.lastElementChild?.remove();
    names.forEach((name, place) => {
      if (this.#list.children[place] === undefined) {
        this.#list.append(this.#template.content.cloneNode(true));
        for (const voices of [sampleVoices, this.#voices])
          offerVoices(find(this.#list, 'label:last-child > select'), voices, place);
      }
      find(this.#list, `label:nth-child(${place + 1}) > span`).textContent = `Voice of ${name}`;
    });
  }

  offer(voices: readonly Voice[]): void {
    if (voices.length === 0) return;
    this.#voices = voices;
    this.#selects.forEach((select, place) => {
      offerVoices(select, voices, place);
    });
  }
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
    this.#own = find(form, '[data-voice-id]');
    this.#ownField = find(form, '[data-other-voice]');
    this.#select.addEventListener('change', () => {
      this.#isChosen = true;
      this.#reflect();
    });
  }

  /** The id that is used; empty for the service's own choice. */
  get id(): string {
    const { value } = this.#select;
    return value === otherVoice ? this.#own.value.trim() : value;
  }

  /** The id that the reader chose; empty where none was. */
  get chosenId(): string {
    return this.#isChosen ? this.id : '';
  }

  /** Chooses a voice for the reader, also one that is not listed yet. */
  take(id: string): void {
    this.#isChosen = true;
    this.#own.value = id;
    this.#select.value = offers(this.#select, id) ? id : otherVoice;
    this.#reflect();
  }

  offer(voices: readonly Voice[], text: string): void {
    this.#voices = voices;
    const { kept } = offerVoices(this.#select, voices);
    this.#isChosen &&= kept;
    // It may have been named before it was known.
    if (this.#select.value === otherVoice && this.#own.value !== '') this.take(this.#own.value);
    this.#reflect();
    this.suit(text);
  }

  /** Takes a voice that speaks the language of a text, unless the reader took one. */
  suit(text: string): void {
    if (this.#isChosen) return;
    const voice = suitableVoice(this.#voices, languageOf(text) ?? 'en');
    if (voice) this.#select.value = voice.id;
  }

  #reflect(): void {
    this.#ownField.hidden = this.#select.value !== otherVoice;
  }
}

function canSpeak(model: VoiceModel): boolean {
  return model.type === 'tts' && model.state === 'trained';
}
