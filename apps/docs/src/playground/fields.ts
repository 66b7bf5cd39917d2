import { audioFormats, latencyModes, synthesisDefaults } from '@speech-api/types';
import { find } from './find.ts';
import { languageOf } from './sentences.ts';
import type { PlaygroundSettings } from './settings.ts';
import { suitableVoice, type Voice } from './voices.ts';

/** The value of the choice that lets the reader type an id. */
const otherVoice = '*';

/** The form: what the reader chose, and the voices there are to choose from. */
export class Fields {
  readonly text: HTMLTextAreaElement;
  readonly #form: HTMLFormElement;
  readonly #voice: HTMLSelectElement;
  #voices: readonly Voice[] = [];
  #voiceChosen = false;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    this.text = find(form, 'textarea');
    this.#voice = find(form, '[name="voice"]');
    this.#voice.addEventListener('change', () => {
      this.#voiceChosen = true;
    });
    form.addEventListener('input', () => this.#reflect());
    this.#reflect();
  }

  get baseUrl(): string {
    return this.#input('baseUrl').value.trim().replace(/\/+$/, '');
  }

  set baseUrl(address: string) {
    this.#input('baseUrl').value = address;
    this.#reflect();
  }

  get apiKey(): string {
    return this.#input('apiKey').value.trim();
  }

  /** Replaces the text, as if it had been typed. */
  write(text: string): void {
    this.text.value = text;
    this.text.dispatchEvent(new Event('input', { bubbles: true }));
  }

  read(): PlaygroundSettings {
    const voice = this.#voice.value;
    return {
      baseUrl: this.baseUrl,
      apiKey: this.apiKey,
      text: this.text.value,
      model: this.#select('model'),
      voice: voice === otherVoice ? this.#input('voiceId').value.trim() : voice,
      format: audioFormats.find((format) => format === this.#select('format')) ?? synthesisDefaults.format,
      latency: latencyModes.find((mode) => mode === this.#select('latency')) ?? synthesisDefaults.latency,
      speed: Number(this.#input('speed').value),
    };
  }

  /** Offers the voices that the service listed. */
  offer(voices: readonly Voice[]): void {
    this.#voices = voices;
    const chosen = this.#voice.value;
    for (const option of [...this.#voice.options]) if (option.dataset.listed !== undefined) option.remove();
    const last = find(this.#voice, `option[value="${otherVoice}"]`);
    for (const voice of voices) {
      const option = new Option(
        voice.languages.length > 0 ? `${voice.title} (${voice.languages.join(', ')})` : voice.title,
        voice.id,
      );
      option.dataset.listed = '';
      last.before(option);
    }
    // Of another service the chosen voice may be unknown; then the choice begins anew.
    const known = [...this.#voice.options].some((option) => option.value === chosen);
    this.#voice.value = known ? chosen : '';
    this.#voiceChosen &&= known;
    this.chooseVoice();
  }

  /** Takes a voice that speaks the language of the text, unless the reader took one. */
  chooseVoice(): void {
    if (this.#voiceChosen) return;
    const voice = suitableVoice(this.#voices, languageOf(this.text.value) ?? 'en');
    if (voice) this.#voice.value = voice.id;
  }

  #input(name: string): HTMLInputElement {
    return find<HTMLInputElement>(this.#form, `input[name="${name}"]`);
  }

  #select(name: string): string {
    return find<HTMLSelectElement>(this.#form, `select[name="${name}"]`).value;
  }

  /** What follows from the fields alone: the number beside the slider, the field for another id, the address. */
  #reflect(): void {
    find(this.#form, '[data-speed]').textContent = `${Number(this.#input('speed').value).toFixed(2)}×`;
    find(this.#form, '[data-other-voice]').hidden = this.#voice.value !== otherVoice;
    find(this.#form, '[data-where]').textContent = this.baseUrl;
    const language = languageOf(this.text.value);
    if (language) this.text.lang = language;
    else this.text.removeAttribute('lang');
  }
}
