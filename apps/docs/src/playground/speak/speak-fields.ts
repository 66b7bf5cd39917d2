import type { SingleSpeakerRequest, SynthesisModel } from '@speech-api/types';
import { offerVoices, suitableVoice, type Voice } from '../connection/voices.ts';
import { find } from '../page/page.ts';
import { SoundFields, type SoundSettings, soundPart } from '../sound/sound-fields.ts';

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

/** `zh` when the text is mostly Chinese, else undefined: enough to choose a voice and a font by. */
export function languageOf(text: string): 'zh' | undefined {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters > 0 && han / letters > 0.3 ? 'zh' : undefined;
}

/** Everything the reader chose but the connection. */
export interface SpeakSettings {
  readonly text: string;
  readonly model: SynthesisModel;
  /** Id of a voice model; empty for the service's own choice. */
  readonly voice: string;
  readonly sound: SoundSettings;
}

/** The request for these settings. What equals a default of the specification is left out. */
export function toRequest({ text, voice, sound }: SpeakSettings): SingleSpeakerRequest {
  return { text, ...(voice === '' ? {} : { reference_id: voice }), ...soundPart(sound) };
}

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
