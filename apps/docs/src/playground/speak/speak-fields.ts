import { offerVoices, suitableVoice, type Voice } from '../connection/voices.ts';
import { find } from '../page/find.ts';
import { SoundFields } from '../sound/sound-fields.ts';
import { languageOf } from './sentences.ts';
import type { SpeakSettings } from './settings.ts';

/** The value of the choice that lets the reader type an id. */
const otherVoice = '*';

/** The form: what the reader chose, and the voices there are to choose from. */
export class SpeakFields {
  readonly text: HTMLTextAreaElement;
  readonly #form: HTMLFormElement;
  readonly #voice: HTMLSelectElement;
  readonly #sound: SoundFields;
  #voices: readonly Voice[] = [];
  #voiceChosen = false;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    this.text = find(form, 'textarea');
    this.#sound = new SoundFields(form);
    this.#voice = find(form, '[name="voice"]');
    this.#voice.addEventListener('change', () => {
      this.#voiceChosen = true;
    });
    form.addEventListener('input', () => this.#reflect());
    this.#reflect();
  }

  /** Replaces the text, as if it had been typed. */
  write(text: string): void {
    this.text.value = text;
    this.text.dispatchEvent(new Event('input', { bubbles: true }));
  }

  read(): SpeakSettings {
    const voice = this.#voice.value;
    return {
      text: this.text.value,
      model: find<HTMLSelectElement>(this.#form, '[name="model"]').value,
      voice:
        voice === otherVoice ? find<HTMLInputElement>(this.#form, '[name="voiceId"]').value.trim() : voice,
      sound: this.#sound.read(),
    };
  }

  /** Offers the voices that the service listed. */
  offer(voices: readonly Voice[]): void {
    this.#voices = voices;
    const { kept } = offerVoices(this.#voice, voices);
    this.#voiceChosen &&= kept;
    this.chooseVoice();
  }

  /** Takes a voice that speaks the language of the text, unless the reader took one. */
  chooseVoice(): void {
    if (this.#voiceChosen) return;
    const voice = suitableVoice(this.#voices, languageOf(this.text.value) ?? 'en');
    if (voice) this.#voice.value = voice.id;
  }

  /** What follows from the fields alone: the field for another id, the language. */
  #reflect(): void {
    find(this.#form, '[data-other-voice]').hidden = this.#voice.value !== otherVoice;
    const language = languageOf(this.text.value);
    if (language) this.text.lang = language;
    else this.text.removeAttribute('lang');
  }
}
