import { isLoopback } from '../connection/address.ts';
import { previewCall } from '../connection/connection.ts';
import type { Connection } from '../connection/fields.ts';
import type { RecordedRequest } from '../evidence/evidence.ts';
import { explainLength } from '../explain-error.ts';
import { Island } from '../page/island.ts';
import { find } from '../page/page.ts';
import { Recital } from '../sound/recital.ts';
import type { SpeakingCall } from '../sound/speaking.ts';
import { writeSpeaking } from '../sound/speaking.ts';
import type { StagePage } from '../text/stage.ts';
import { SpeakFields } from './speak-fields.ts';

class SpeechPlayground extends HTMLElement {
  #island: Island | undefined;
  #recital: Recital | undefined;
  #previews = 0;
  #isTooLong = false;

  connectedCallback(): void {
    if (this.#island) return;
    const form = find<HTMLFormElement>(this, 'form');
    const fields = new SpeakFields(form);
    const island = new Island(this, {
      action: 'Speak',
      alone: 'No sandbox answers; this page speaks by itself, in English and Chinese.',
      connectionChanged: () => void this.#preview(fields),
      offer: (voices) => {
        fields.offer(voices);
        void this.#preview(fields);
      },
    });
    this.#island = island;
    const recital = new Recital({
      island: this,
      stage: find(this, '[data-words]'),
      scroller: find(this, '[data-paper]'),
      action: 'Speak',
      explain: (explanation) => island.explain(explanation),
      stateChanged: (isBusy) => {
        fields.text.readOnly = isBusy;
      },
    });
    this.#recital = recital;

    const speak = () => void this.#speak(fields);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      speak();
    });
    form.addEventListener('input', (event) => {
      if (event.target === fields.text) {
        fields.chooseVoice();
        recital.reset();
        this.#sayLength(fields, island);
      }
      void this.#preview(fields);
    });
    for (const choice of ['[name="voice"]', '[data-speakers]'])
      find(form, choice).addEventListener('focusin', () => void island.listVoices());
    for (const button of this.querySelectorAll<HTMLButtonElement>('[data-sample]')) {
      button.addEventListener('click', () => fields.write(button.dataset.sample ?? ''));
    }
    this.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      speak();
    });
    const parameters = new URLSearchParams(location.search);
    if (parameters.size > 0) {
      fields.readAddress(parameters);
    }
    form.addEventListener('change', () => this.#writeAddress(fields));
    // A link says what to speak; one key speaks it, as soon as it is known where the call goes.
    void island.begin().then(() => parameters.size > 0 && find(this, '[data-speak]').focus());
  }

  /** Seconds of the audio that have been heard. */
  get position(): number {
    return this.#recital?.position ?? 0;
  }

  disconnectedCallback(): void {
    this.#recital?.dispose();
  }

  #call(fields: SpeakFields, island: Island, connection: Connection): SpeakingCall {
    const { request, voices } = fields;
    const { model, sound } = fields.read();
    const { format, speed, volume, temperature } = sound;
    const here = {
      text: request.text,
      folder: `${this.dataset.base ?? '/'}engine/`,
      settings: {
        model,
        speed,
        ...(voices === undefined ? {} : { voices }),
        ...(volume === undefined ? {} : { volume }),
        ...(temperature === undefined ? {} : { temperature }),
      },
      isFirst: !isLoopback(location.origin) && !island.connection.isEdited,
    };
    return { connection, request, model, format, here };
  }

  /** Says when a text becomes too long, and takes it back when it no longer is. */
  #sayLength(fields: SpeakFields, island: Island): void {
    const explanation = explainLength(fields.text.value);
    if (explanation !== undefined || this.#isTooLong) island.explain(explanation);
    this.#isTooLong = explanation !== undefined;
  }

  /** A link to this page as it is now speaks the same. */
  #writeAddress(fields: SpeakFields): void {
    const parameters = fields.writeAddress();
    const search = parameters.size > 0 ? `?${parameters}` : '';
    if (search !== location.search) history.replaceState(history.state, '', `${location.pathname}${search}`);
  }

  async #preview(fields: SpeakFields): Promise<void> {
    const island = this.#island;
    if (island === undefined) return;
    this.#previews += 1;
    const mine = this.#previews;
    const call = this.#call(fields, island, island.connection.read());
    const request = await previewCall(call.connection, ({ speech }) =>
      speech.streamWithTimestamps(call.request, { model: call.model }),
    );
    if (mine === this.#previews) this.#show(call, request, 'What Speak will do.');
  }

  async #speak(fields: SpeakFields): Promise<void> {
    const [island, recital] = [this.#island, this.#recital];
    if (island === undefined || recital === undefined) return;
    const connection = island.choose();
    if (connection === undefined) return;
    const call = this.#call(fields, island, connection);
    if (call.request.text.trim() === '') {
      island.explain({ title: 'There is nothing to speak', advice: 'Type a sentence first.' });
      fields.text.focus();
      return;
    }
    this.#writeAddress(fields);
    const { failed } = await recital.perform({
      call,
      pages: this.#pages(fields),
      record: (request) => {
        this.#previews += 1;
        this.#show(call, request, 'What Speak did.');
      },
    });
    if (!failed && !recital.isHere) await island.listVoices();
  }

  /** The text above its field; of a dialogue, each line behind the name of its speaker. */
  #pages(fields: SpeakFields): StagePage[] {
    const root = find(this, '[data-words]');
    const { value } = fields.text;
    const { script } = fields.read();
    if (script === undefined) return [{ text: value, root }];
    root.replaceChildren();
    let end = 0;
    return script.lines.map(({ text, start }) => {
      const line = document.createElement('bdi');
      root.append(value.slice(end, start), line);
      // The stage ends each line with a line break.
      end = start + text.length + 1;
      return { text, root: line };
    });
  }

  #show(call: SpeakingCall, request: RecordedRequest | undefined, note: string): void {
    const { apiKey } = call.connection;
    this.#island?.evidence.show({ typescript: writeSpeaking(call), request, apiKey, note });
  }
}

customElements.define('speech-playground', SpeechPlayground);
