import { offerVoices, type Voice } from '../connection/voices.ts';
import { find, fromTemplate } from '../page/page.ts';
import { sampleVoices } from './script.ts';

/** The voice of each speaker of a dialogue. */
export class Speakers {
  readonly #list: HTMLElement;
  readonly #template: HTMLTemplateElement;
  #voices: readonly Voice[] = [];

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

  /** Shows one choice for each name; who was there keeps the voice. */
  name(names: readonly string[]): void {
    while (this.#list.children.length > names.length) this.#list.lastElementChild?.remove();
    names.forEach((name, place) => {
      const entry = this.#list.children[place] ?? this.#add(place);
      find(entry, 'span').textContent = `Voice of ${name}`;
    });
  }

  /** Offers the voices that the service listed. */
  offer(voices: readonly Voice[]): void {
    if (voices.length === 0) return;
    this.#voices = voices;
    this.#selects.forEach((select, place) => {
      const { kept } = offerVoices(select, voices);
      if (!kept) select.value = voices[place % voices.length]?.id ?? select.value;
    });
  }

  #add(place: number): HTMLElement {
    const entry = fromTemplate(this.#template);
    const select = find<HTMLSelectElement>(entry, 'select');
    if (this.#voices.length > 0) offerVoices(select, this.#voices);
    const wanted = sampleVoices[place % sampleVoices.length] ?? '';
    const isOffered = [...select.options].some(({ value }) => value === wanted);
    select.value = isOffered ? wanted : (select.options[place % select.options.length]?.value ?? '');
    this.#list.append(entry);
    return entry;
  }
}
