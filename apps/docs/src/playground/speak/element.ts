import { isLoopback } from '../connection/address.ts';
import type { Connection } from '../connection/fields.ts';
import type { Voice } from '../connection/voices.ts';
import { explainLength } from '../explain-error.ts';
import { Island } from '../page/island.ts';
import { find } from '../page/page.ts';
import { Recital } from '../sound/recital.ts';
import type { SpeakingCall } from '../sound/speaking.ts';
import { SpeakFields } from './speak-fields.ts';

class SpeechPlayground extends Island {
  readonly action = 'Speak';
  readonly #fields = new SpeakFields(this.form);
  readonly #recital = new Recital(this);
  readonly #address = new URLSearchParams(location.search);
  #isTooLong = false;

  constructor() {
    super();
    const fields = this.#fields;
    fields.text.addEventListener('input', () => {
      fields.chooseVoice();
      this.#recital.reset();
      this.#sayLength(fields.text.value);
    });
    for (const choice of ['[name="voice"]', '[data-speakers]'])
      find(this, choice).addEventListener('focusin', () => void this.listVoices());
    for (const button of this.querySelectorAll<HTMLButtonElement>('[data-sample]'))
      button.addEventListener('click', () => fields.write(button.dataset.sample ?? ''));
    fields.readAddress(this.#address);
    this.form.addEventListener('change', () => writeAddress(fields.writeAddress()));
  }

  override async start(): Promise<void> {
    await super.start();
    // A link says what to speak; one key speaks it, as soon as it is known where the call goes.
    if (this.#address.size > 0) find(this, '[data-speak]').focus();
  }

  /** Seconds of the audio that have been heard. */
  get position(): number {
    return this.#recital.position;
  }

  disconnectedCallback(): void {
    this.#recital.dispose();
  }

  begin(): void {
    void this.#speak();
  }

  stop(): void {
    void this.#recital.stop();
  }

  override save(kind: string): Promise<void> {
    return this.#recital.save(kind);
  }

  override offer(voices: readonly Voice[]): void {
    this.#fields.offer(voices);
  }

  #call(connection: Connection): SpeakingCall {
    return {
      connection,
      ...this.#fields.read(),
      format: this.#fields.sound.format,
      folder: `${this.dataset.base ?? '/'}engine/`,
      isHereFirst: !isLoopback(location.origin) && !this.connection.isEdited,
    };
  }

  /** Says when a text becomes too long, and takes it back when it no longer is. */
  #sayLength(text: string): void {
    const explanation = explainLength(text);
    if (explanation !== undefined || this.#isTooLong) this.explain(explanation);
    this.#isTooLong = explanation !== undefined;
  }

  async #speak(): Promise<void> {
    // The call that is on its way may be billed already; Stop ends it.
    if (this.state === 'asking') return;
    const connection = this.choose();
    if (connection === undefined) return;
    const fields = this.#fields;
    const call = this.#call(connection);
    if (call.request.text.trim() === '') {
      this.explain({ title: 'There is nothing to speak', advice: 'Type a sentence first.' });
      fields.text.focus();
      return;
    }
    writeAddress(fields.writeAddress());
    const byServer = await this.#recital.perform(call, fields.text.value, fields.spoken);
    if (byServer) await this.listVoices();
  }
}

/** A link to this page as it is now speaks the same. */
function writeAddress(parameters: URLSearchParams): void {
  const search = parameters.size > 0 ? `?${parameters}` : '';
  if (search !== location.search) history.replaceState(history.state, '', `${location.pathname}${search}`);
}

customElements.define('speech-playground', SpeechPlayground);
