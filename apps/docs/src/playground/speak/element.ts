import { isLoopback } from '../connection/address.ts';
import { previewCall } from '../connection/connection.ts';
import type { Connection } from '../connection/fields.ts';
import type { RecordedRequest } from '../evidence/evidence.ts';
import { explainLength } from '../explain-error.ts';
import { Island } from '../page/island.ts';
import { find } from '../page/page.ts';
import { Recital } from '../sound/recital.ts';
import { type SpeakingCall, writeSpeaking } from '../sound/speaking.ts';
import { SpeakFields } from './speak-fields.ts';

interface Parts {
  readonly island: Island;
  readonly recital: Recital;
  readonly fields: SpeakFields;
}

class SpeechPlayground extends HTMLElement {
  #parts: Parts | undefined;
  #previews = 0;
  #isTooLong = false;

  connectedCallback(): void {
    if (this.#parts) return;
    const form = find<HTMLFormElement>(this, 'form');
    const fields = new SpeakFields(form);
    form.addEventListener('input', ({ target }) => {
      if (target !== fields.text) return;
      fields.chooseVoice();
      recital.reset();
      this.#sayLength(fields.text.value);
    });
    const island = new Island(this, {
      action: 'Speak',
      alone: 'No sandbox answers; this page speaks by itself, in English and Chinese.',
      begin: () => void this.#speak(),
      changed: () => void this.#preview(),
      offer: (voices) => {
        fields.offer(voices);
        void this.#preview();
      },
    });
    const recital = new Recital(this, (explanation) => island.explain(explanation));
    this.#parts = { island, recital, fields };
    for (const choice of ['[name="voice"]', '[data-speakers]'])
      find(form, choice).addEventListener('focusin', () => void island.listVoices());
    for (const button of this.querySelectorAll<HTMLButtonElement>('[data-sample]'))
      button.addEventListener('click', () => fields.write(button.dataset.sample ?? ''));
    const parameters = new URLSearchParams(location.search);
    fields.readAddress(parameters);
    form.addEventListener('change', () => writeAddress(fields.writeAddress()));
    // A link says what to speak; one key speaks it, as soon as it is known where the call goes.
    void island.start().then(() => parameters.size > 0 && find(this, '[data-speak]').focus());
  }

  /** Seconds of the audio that have been heard. */
  get position(): number {
    return this.#parts?.recital.position ?? 0;
  }

  disconnectedCallback(): void {
    this.#parts?.recital.dispose();
  }

  #call({ fields, island }: Parts, connection: Connection): SpeakingCall {
    return {
      connection,
      ...fields.read(),
      format: fields.sound.format,
      folder: `${this.dataset.base ?? '/'}engine/`,
      isHereFirst: !isLoopback(location.origin) && !island.connection.isEdited,
    };
  }

  /** Says when a text becomes too long, and takes it back when it no longer is. */
  #sayLength(text: string): void {
    const explanation = explainLength(text);
    if (explanation !== undefined || this.#isTooLong) this.#parts?.island.explain(explanation);
    this.#isTooLong = explanation !== undefined;
  }

  async #preview(): Promise<void> {
    const parts = this.#parts;
    if (parts === undefined) return;
    this.#previews += 1;
    const mine = this.#previews;
    const call = this.#call(parts, parts.island.connection.read());
    const request = await previewCall(call.connection, ({ speech }) =>
      speech.streamWithTimestamps(call.request, { model: call.model }),
    );
    if (mine === this.#previews) this.#show(call, request, 'What Speak will do.');
  }

  async #speak(): Promise<void> {
    const parts = this.#parts;
    const connection = parts?.island.choose();
    if (parts === undefined || connection === undefined) return;
    const { island, recital, fields } = parts;
    const call = this.#call(parts, connection);
    if (call.request.text.trim() === '') {
      island.explain({ title: 'There is nothing to speak', advice: 'Type a sentence first.' });
      fields.text.focus();
      return;
    }
    writeAddress(fields.writeAddress());
    const byServer = await recital.perform({
      call,
      text: fields.text.value,
      spoken: fields.spoken,
      record: (request) => {
        this.#previews += 1;
        this.#show(call, request, 'What Speak did.');
      },
    });
    if (byServer) await island.listVoices();
  }

  #show(call: SpeakingCall, request: RecordedRequest | undefined, note: string): void {
    const { apiKey } = call.connection;
    this.#parts?.island.evidence.show({ typescript: writeSpeaking(call), request, apiKey, note });
  }
}

/** A link to this page as it is now speaks the same. */
function writeAddress(parameters: URLSearchParams): void {
  const search = parameters.size > 0 ? `?${parameters}` : '';
  if (search !== location.search) history.replaceState(history.state, '', `${location.pathname}${search}`);
}

customElements.define('speech-playground', SpeechPlayground);
