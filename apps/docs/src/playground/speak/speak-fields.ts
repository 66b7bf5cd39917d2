import type { SpeechRequest } from '@speech-api/client';
import { defaultModel, type SynthesisModel } from '@speech-api/types';
import { languageOf, SpeakerFields, type Voice, VoiceField } from '../connection/voices.ts';
import { find } from '../page/page.ts';
import { SoundFields } from '../sound/sound-fields.ts';
import { readScript, sampleScript, toDialogueText, withoutNames } from './script.ts';

export const sampleSentences: readonly { label: string; language: string; text: string }[] = [
  {
    label: 'English',
    language: 'en',
    text: 'Every word on this page lights up at the moment you hear it, not a moment before.',
  },
  { label: '中文', language: 'zh', text: '你好，世界。每一个字都会在你听到它的时候亮起来。' },
  {
    label: 'Numbers',
    language: 'en',
    text: 'The 7:45 train leaves from platform 12. It takes 36 minutes, and costs 18 pounds.',
  },
];

/** A text that is longer does not go into an address: some programs cut those. */
const longestInAddress = 1500;

type NamedField = HTMLSelectElement | HTMLInputElement | HTMLTextAreaElement;

/** The form: what the reader chose, and the voices there are to choose from. */
export class SpeakFields {
  readonly text: HTMLTextAreaElement;
  readonly sound: SoundFields;
  readonly #form: HTMLFormElement;
  readonly #voice: VoiceField;
  readonly #speakers: SpeakerFields;
  readonly #mode: HTMLSelectElement;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    this.text = find(form, 'textarea');
    this.sound = new SoundFields(form);
    this.#voice = new VoiceField(form);
    this.#speakers = new SpeakerFields(form);
    this.#mode = find(form, '[name="mode"]');
    this.#mode.addEventListener('input', () => {
      const { value, defaultValue } = this.text;
      if (this.#isDialogue && value === defaultValue) this.text.value = sampleScript;
      else if (!this.#isDialogue && value === sampleScript) this.text.value = defaultValue;
    });
    form.addEventListener('input', () => this.#reflect());
    this.#reflect();
  }

  get #isDialogue(): boolean {
    return this.#mode.value === 'dialogue';
  }

  write(text: string): void {
    this.text.value = text;
    this.text.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** The model and the request that are chosen, for one voice or several. */
  read(): { readonly model: SynthesisModel; readonly request: SpeechRequest } {
    const sound = this.sound.read();
    const text = this.text.value;
    // The one model that takes a dialogue is the default.
    if (this.#isDialogue)
      return {
        model: defaultModel,
        request: {
          text: toDialogueText(readScript(text)),
          reference_id: this.#speakers.voices,
          ...sound,
        },
      };
    const { id } = this.#voice;
    const model = find<HTMLSelectElement>(this.#form, '[name="model"]').value;
    return { model, request: { text, ...(id === '' ? {} : { reference_id: id }), ...sound } };
  }

  /** The text with blanks for what nobody says. */
  get spoken(): string {
    const { value } = this.text;
    return this.#isDialogue ? withoutNames(readScript(value)) : value;
  }

  /** Takes the settings that an address holds; what it does not know stays as it is. */
  readAddress(parameters: URLSearchParams): void {
    for (const field of this.#named) {
      const value = parameters.get(field.name) ?? '';
      if (value === '') continue;
      if (field.name === 'voice') this.#voice.take(value);
      else if (!(field instanceof HTMLSelectElement) || isOption(field, value)) field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }

  /** The settings that are not as the page begins with, for an address that speaks the same. Never the key. */
  writeAddress(): URLSearchParams {
    const parameters = new URLSearchParams();
    for (const field of this.#named) {
      const value = field.name === 'voice' ? this.#voice.chosenId : field.value;
      if (value !== '' && value !== startOf(field) && value.length <= longestInAddress)
        parameters.set(field.name, value);
    }
    return parameters;
  }

  /** The fields that an address may hold: those with a name. The key has none. */
  get #named(): NamedField[] {
    return [...this.#form.querySelectorAll<NamedField>('[name]')];
  }

  offer(voices: readonly Voice[]): void {
    this.#voice.offer(voices, this.text.value);
    this.#speakers.offer(voices);
  }

  /** Takes a voice that speaks the language of the text, unless the reader took one. */
  chooseVoice(): void {
    this.#voice.suit(this.text.value);
  }

  /** Shows the fields of the mode; the font follows the language of the text. */
  #reflect(): void {
    const isDialogue = this.#isDialogue;
    if (isDialogue) this.#speakers.name(readScript(this.text.value).names);
    for (const part of this.#form.querySelectorAll<HTMLElement>('[data-mode]'))
      part.hidden = (part.dataset.mode === 'dialogue') !== isDialogue;
    this.text.lang = languageOf(this.text.value) ?? '';
  }
}

function isOption(field: HTMLSelectElement, value: string): boolean {
  return [...field.options].some((option) => option.value === value);
}

function startOf(field: NamedField): string {
  if (!(field instanceof HTMLSelectElement)) return field.defaultValue;
  return [...field.options].find((option) => option.defaultSelected)?.value ?? field.options[0]?.value ?? '';
}
