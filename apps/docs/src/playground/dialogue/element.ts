import { defaultModel } from '@speech-api/types';
import { previewCall } from '../connection/connection.ts';
import type { RecordedRequest } from '../evidence/evidence.ts';
import { Island } from '../page/island.ts';
import { find } from '../page/page.ts';
import { Recital } from '../sound/recital.ts';
import { SoundFields } from '../sound/sound-fields.ts';
import type { SpeakingCall } from '../sound/speaking.ts';
import { writeSpeaking } from '../sound/speaking.ts';
import { DialogueEditor } from './editor.ts';
import { Lanes } from './lanes.ts';
import { spokenLines, toDialogueRequest } from './script.ts';

class SpeechDialogue extends HTMLElement {
  #parts: { island: Island; recital: Recital; editor: DialogueEditor; sound: SoundFields } | undefined;
  #previews = 0;

  connectedCallback(): void {
    if (this.#parts) return;
    const form = find<HTMLFormElement>(this, 'form');
    const sound = new SoundFields(form);
    const island = new Island(this, {
      action: 'Play',
      connectionChanged: () => void this.#preview(),
      offer: (voices) => {
        editor.lanes.offer(voices);
        void this.#preview();
      },
    });
    const recital = new Recital({
      island: this,
      stage: find(this, '[data-lines]'),
      action: 'Play',
      explain: (explanation) => island.explain(explanation),
      stateChanged: (isBusy) => editor.lock(isBusy),
      page: (index) => editor.light(this.#cardOf(index)),
    });
    const editor: DialogueEditor = new DialogueEditor(this, new Lanes(this), (said) => {
      recital.reset();
      if (said !== '') find(this, '[data-status]').textContent = said;
      void this.#preview();
    });
    this.#parts = { island, recital, editor, sound };

    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#play();
    });
    form.addEventListener('input', () => void this.#preview());
    this.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void this.#play();
    });
    find(this, '[data-speakers]').addEventListener('focusin', () => void island.listVoices());
    void island.begin();
  }

  /** Seconds of the audio that have been heard. */
  get position(): number {
    return this.#parts?.recital.position ?? 0;
  }

  disconnectedCallback(): void {
    this.#parts?.recital.dispose();
  }

  /** The card of a page: lines without a text have none. */
  #cardOf(page: number): number {
    const cards = this.#parts?.editor.cards ?? [];
    const spoken = cards.flatMap(({ text }, card) => (text.value.trim() === '' ? [] : [card]));
    return spoken[page] ?? -1;
  }

  #call(): SpeakingCall | undefined {
    if (this.#parts === undefined) return undefined;
    const { island, editor, sound } = this.#parts;
    const settings = sound.read();
    return {
      connection: island.connection.read(),
      request: toDialogueRequest(editor.read(), settings),
      // The one model that takes a dialogue is the default.
      model: defaultModel,
      format: settings.format,
    };
  }

  async #preview(): Promise<void> {
    const call = this.#call();
    if (call === undefined) return;
    this.#previews += 1;
    const mine = this.#previews;
    const request = await previewCall(call.connection, ({ speech }) =>
      speech.streamWithTimestamps(call.request, { model: call.model }),
    );
    if (mine === this.#previews) this.#show(call, request, 'What Play will do.');
  }

  async #play(): Promise<void> {
    const call = this.#call();
    if (this.#parts === undefined || call === undefined) return;
    const { island, recital, editor } = this.#parts;
    const lines = spokenLines(editor.read());
    if (lines.length === 0) {
      island.explain({ title: 'There is nothing to say', advice: 'Write what the first speaker says.' });
      editor.cards[0]?.text.focus();
      return;
    }
    const cards = editor.cards.filter(({ text }) => text.value.trim() !== '');
    const { failed } = await recital.perform({
      call,
      pages: cards.map(({ text, words }) => ({ text: text.value, root: words })),
      rows: lines.map(({ speaker }) => speaker),
      record: (request) => {
        this.#previews += 1;
        this.#show(call, request, 'What Play did.');
      },
    });
    if (!failed) await island.listVoices();
  }

  #show(call: SpeakingCall, request: RecordedRequest | undefined, note: string): void {
    const { apiKey } = call.connection;
    this.#parts?.island.evidence.show({ typescript: writeSpeaking(call), request, apiKey, note });
  }
}

customElements.define('speech-dialogue', SpeechDialogue);
