import {
  defaultModel,
  type SingleSpeakerRequest,
  type SynthesisModel,
  type SynthesisRequest,
} from '@speech-api/types';
import { languageOf, type Voice, VoiceField } from '../connection/voices.ts';
import { find } from '../page/page.ts';
import { SoundFields, type SoundSettings, soundPart } from '../sound/sound-fields.ts';
import { readScript, type Script, sampleScript, toDialogueRequest } from './script.ts';
import { Speakers } from './speakers.ts';

/** A text to begin with. */
export interface SampleSentence {
  readonly label: string;
  readonly language: string;
  readonly text: string;
}

export const sampleSentences: readonly SampleSentence[] = [
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

/** Everything the reader chose but the connection. */
export interface SpeakSettings {
  readonly text: string;
  readonly model: SynthesisModel;
  /** Id of a voice model; empty for the service's own choice. */
  readonly voice: string;
  readonly sound: SoundSettings;
  /** Of a dialogue, who says what. */
  readonly script: Script | undefined;
}

/** The request for these settings. What equals a default of the specification is left out. */
export function toRequest({
  text,
  voice,
  sound,
}: Pick<SpeakSettings, 'text' | 'voice' | 'sound'>): SingleSpeakerRequest {
  return { text, ...(voice === '' ? {} : { reference_id: voice }), ...soundPart(sound) };
}

/** What an address may hold besides the text and the voice. */
const inAddress = [
  'mode',
  'model',
  'format',
  'latency',
  'sample_rate',
  'bitrate',
  'speed',
  'volume',
  'temperature',
];
/** A text that is longer does not go into an address: some programs cut those. */
const longestInAddress = 1500;

/** The form: what the reader chose, and the voices there are to choose from. */
export class SpeakFields {
  readonly text: HTMLTextAreaElement;
  readonly #form: HTMLFormElement;
  readonly #voice: VoiceField;
  readonly #sound: SoundFields;
  readonly #speakers: Speakers;
  readonly #mode: HTMLSelectElement;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    this.text = find(form, 'textarea');
    this.#sound = new SoundFields(form);
    this.#voice = new VoiceField(form);
    this.#speakers = new Speakers(form);
    this.#mode = find(form, '[name="mode"]');
    this.#mode.addEventListener('input', () => {
      const { value, defaultValue } = this.text;
      if (this.isDialogue && value === defaultValue) this.text.value = sampleScript;
      else if (!this.isDialogue && value === sampleScript) this.text.value = defaultValue;
    });
    form.addEventListener('input', () => this.#reflect());
    this.#reflect();
  }

  get isDialogue(): boolean {
    return this.#mode.value === 'dialogue';
  }

  /** Replaces the text, as if it had been typed. */
  write(text: string): void {
    this.text.value = text;
    this.text.dispatchEvent(new Event('input', { bubbles: true }));
  }

  read(): SpeakSettings {
    const { isDialogue } = this;
    return {
      text: this.text.value,
      script: isDialogue ? readScript(this.text.value) : undefined,
      // The one model that takes a dialogue is the default.
      model: isDialogue ? defaultModel : find<HTMLSelectElement>(this.#form, '[name="model"]').value,
      voice: this.#voice.id,
      sound: this.#sound.read(),
    };
  }

  /** The request for what is chosen, for one voice or several. */
  get request(): SynthesisRequest {
    const settings = this.read();
    const { script, sound } = settings;
    return script === undefined
      ? toRequest(settings)
      : toDialogueRequest(script, this.#speakers.voices, sound);
  }

  /** The voices of a dialogue, by speaker; undefined for a single voice. */
  get voices(): readonly string[] | undefined {
    return this.isDialogue ? this.#speakers.voices : undefined;
  }

  /** Takes the settings that an address holds; what it does not know stays as it is. */
  readAddress(parameters: URLSearchParams): void {
    for (const name of inAddress) {
      const value = parameters.get(name);
      if (value === null) continue;
      const field = this.#field(name);
      if (!(field instanceof HTMLSelectElement) || isOption(field, value)) field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    const voice = parameters.get('voice');
    if (voice !== null) this.#voice.take(voice);
    const text = parameters.get('text');
    if (text !== null && text !== '') this.text.value = text;
    this.text.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** The settings that are not as the page begins with, for an address that speaks the same. Never the key. */
  writeAddress(): URLSearchParams {
    const parameters = new URLSearchParams();
    const text = this.text.value;
    if (text !== this.text.defaultValue && text.length <= longestInAddress) parameters.set('text', text);
    for (const name of inAddress) {
      const field = this.#field(name);
      if (field.value !== '' && field.value !== startOf(field)) parameters.set(name, field.value);
    }
    if (this.#voice.isChosen && this.#voice.id !== '') parameters.set('voice', this.#voice.id);
    return parameters;
  }

  #field(name: string): HTMLSelectElement | HTMLInputElement {
    return find(this.#form, `[name="${name}"]`);
  }

  /** Offers the voices that the service listed. */
  offer(voices: readonly Voice[]): void {
    this.#voice.offer(voices, this.text.value);
    this.#speakers.offer(voices);
  }

  /** Takes a voice that speaks the language of the text, unless the reader took one. */
  chooseVoice(): void {
    this.#voice.suit(this.text.value);
  }

  /** The font follows the language of the text. */
  #reflect(): void {
    const { isDialogue } = this;
    if (isDialogue) this.#speakers.name(readScript(this.text.value).names);
    for (const part of this.#form.querySelectorAll<HTMLElement>('[data-mode]'))
      part.hidden = (part.dataset.mode === 'dialogue') !== isDialogue;
    const language = languageOf(this.text.value);
    if (language) this.text.lang = language;
    else this.text.removeAttribute('lang');
  }
}

function isOption(field: HTMLSelectElement, value: string): boolean {
  return [...field.options].some((option) => option.value === value);
}

/** What a field holds when the page begins. */
function startOf(field: HTMLSelectElement | HTMLInputElement): string {
  if (field instanceof HTMLInputElement) return field.defaultValue;
  return [...field.options].find((option) => option.defaultSelected)?.value ?? field.options[0]?.value ?? '';
}
