import { defaultModel, synthesisDefaults, synthesisModels } from '@speech-api/types';
import { isLoopback } from './connection/address.ts';
import type { Servers } from './connection/fields.ts';
import { readVoice } from './connection/voices.ts';
import { Island } from './page/island.ts';
import { find } from './page/page.ts';
import { Recital } from './sound/recital.ts';
import { readSound } from './sound/sound-fields.ts';

/** A pause in typing after which the text is kept: browsers refuse to write addresses much more often. */
const typingMilliseconds = 400;

class SpeechPlayground extends Island {
  readonly action = 'Speak';
  readonly #recital = new Recital(this);
  /** What the page begins with. */
  readonly #defaults = new FormData(this.form);

  constructor() {
    super();
    const { form, text } = this;
    const voice = find<HTMLInputElement>(form, '[name="voice"]');
    text.addEventListener('input', () => this.#rewrite());
    voice.addEventListener('focus', () => void this.listVoices());
    for (const button of this.querySelectorAll<HTMLButtonElement>('[data-sample]'))
      button.addEventListener('click', () => {
        const { sample = '', voices } = button.dataset;
        text.value = sample;
        // The voices of a dialogue are of no use for any other text.
        if (voices !== undefined || voice.value.includes(',')) voice.value = voices ?? '';
        this.#rewrite();
        this.#writeAddress();
      });
    for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
      const field = form.elements.namedItem(name);
      if (field !== null && 'value' in field && value !== '') field.value = value;
    }
    this.#rewrite();
    form.addEventListener('change', () => this.#writeAddress());
    let typing: ReturnType<typeof setTimeout>;
    text.addEventListener('input', () => {
      clearTimeout(typing);
      typing = setTimeout(() => this.#writeAddress(), typingMilliseconds);
    });
  }

  /**
   * Before it is asked to, a page calls no sandbox that was not started beside it, and a page from elsewhere does not
   * knock on the reader's machine.
   */
  async start({ baseUrl }: Servers): Promise<void> {
    this.connection.take(baseUrl);
    if (baseUrl !== undefined && isLoopback(location.origin)) await this.listVoices();
  }

  /** Seconds of the audio that have been heard. */
  get position(): number {
    return this.#recital.position;
  }

  begin(): void {
    // The call that is on its way may be billed already; Stop ends it.
    if (this.state === 'asking' || this.dataset.ready === undefined || !this.text.reportValidity()) return;
    const connection = this.choose();
    if (connection === undefined) return;
    this.#writeAddress();
    const model = find<HTMLSelectElement>(this.form, '[name="model"]').value;
    const sound = readSound(this.form);
    void this.#recital.perform({
      connection,
      model: synthesisModels.find((name) => name === model) ?? defaultModel,
      request: {
        text: this.text.value,
        ...readVoice(this.form),
        ...sound,
        format: sound.format ?? synthesisDefaults.format,
      },
      folder: `${this.dataset.base ?? '/'}engine/`,
      isHereFirst: !isLoopback(location.origin) && !this.connection.isEdited,
    });
  }

  stop(): void {
    void this.#recital.stop();
  }

  #rewrite(): void {
    // The font follows the language of the text.
    this.text.setCustomValidity(this.text.value.trim() === '' ? 'Type something to speak.' : '');
    this.text.lang = /\p{Script=Han}/u.test(this.text.value) ? 'zh' : '';
    this.#recital.reset();
  }

  /**
   * A link to this page as it is now speaks the same. It is the fragment, which no host gets to see and which may be long.
   * The key has no name, so it is never in it.
   */
  #writeAddress(): void {
    const parameters = new URLSearchParams();
    for (const [name, value] of new FormData(this.form))
      if (value !== this.#defaults.get(name)) parameters.set(name, String(value));
    history.replaceState(history.state, '', `#${parameters}`);
  }
}

customElements.define('speech-playground', SpeechPlayground);
