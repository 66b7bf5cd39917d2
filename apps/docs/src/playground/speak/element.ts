import { finishWav } from '@speech-api/audio';
import { audioMediaTypes } from '@speech-api/types';
import { Display } from './display.ts';
import { type Explanation, explainError } from './explain-error.ts';
import { Fields } from './fields.ts';
import { find } from './find.ts';
import { previewRequest } from './preview.ts';
import { showProblem } from './problem.ts';
import { findSandbox, isLoopback } from './sandbox-address.ts';
import { saveFile } from './save-file.ts';
import { Speaking } from './speaking.ts';
import { listVoices } from './voices.ts';

type State = 'idle' | 'asking' | 'speaking' | 'done' | 'stopped' | 'failed';

class SpeechPlayground extends HTMLElement {
  #parts: { fields: Fields; display: Display } | undefined;
  #speaking: Speaking | undefined;
  #previews = 0;
  #voicesListed = false;

  connectedCallback(): void {
    if (this.#parts) return;
    const form = find<HTMLFormElement>(this, 'form');
    const fields = new Fields(form);
    const display = new Display(this, (detail) =>
      this.dispatchEvent(new CustomEvent('word-lit', { detail })),
    );
    this.#parts = { fields, display };

    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#speak(fields, display);
    });
    form.addEventListener('input', (event) => this.#changed(fields, display, event.target));
    // A finished address or key, or a look into the list of voices, is asking enough to ask for them.
    form.addEventListener('change', (event) => {
      if (isConnection(event.target)) void this.#listVoices(fields, display);
    });
    find(form, '[name="voice"]').addEventListener('focus', () => {
      if (!this.#voicesListed) void this.#listVoices(fields, display);
    });
    for (const button of this.querySelectorAll<HTMLButtonElement>('[data-sample]')) {
      button.addEventListener('click', () => fields.write(button.dataset.sample ?? ''));
    }
    find(this, '[data-stop]').addEventListener('click', () => void this.#speaking?.stop());
    find(this, '[data-save="audio"]').addEventListener('click', () => void this.#saveAudio());
    find(this, '[data-save="captions"]').addEventListener('click', () => this.#saveCaptions());
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void this.#speak(fields, display);
      }
      if (event.key === 'Escape') void this.#speaking?.stop();
    });
    void this.#begin(fields, display);
  }

  disconnectedCallback(): void {
    void this.#speaking?.stop();
  }

  async #begin(fields: Fields, display: Display): Promise<void> {
    const text = new URLSearchParams(location.search).get('text');
    if (text) {
      fields.write(text);
      find(this, '[data-speak]').focus();
    }
    fields.baseUrl = await findSandbox(this.dataset.base ?? '/');
    await this.#preview(fields, display);
    // A page from elsewhere does not knock on the reader's machine before it is asked to.
    if (isLoopback(location.origin)) await this.#listVoices(fields, display);
    this.dataset.ready = '';
  }

  #changed(fields: Fields, display: Display, field: EventTarget | null): void {
    if (field === fields.text) {
      fields.chooseVoice();
      void this.#speaking?.stop();
      this.#speaking = undefined;
      display.begin('');
      this.#show('idle', 'Ready.');
    }
    if (isConnection(field)) {
      this.#voicesListed = false;
      this.#explain(undefined);
    }
    void this.#preview(fields, display);
  }

  async #preview(fields: Fields, display: Display): Promise<void> {
    this.#previews += 1;
    const mine = this.#previews;
    const settings = fields.read();
    const request = await previewRequest(settings);
    if (mine === this.#previews) display.evidence.show(settings, request, 'What Speak will do.');
  }

  async #listVoices(fields: Fields, display: Display): Promise<void> {
    const { baseUrl, apiKey } = fields;
    try {
      fields.offer(await listVoices(baseUrl, apiKey));
      this.#voicesListed = true;
      await this.#preview(fields, display);
    } catch (error) {
      // Nobody asked yet, so a line says it; Speak says it in full.
      const { title } = explainError(error, { baseUrl, receivedSeconds: 0 });
      if (!this.#isBusy) find(this, '[data-status]').textContent = `${title}.`;
    }
  }

  async #speak(fields: Fields, display: Display): Promise<void> {
    this.#explain(undefined);
    const settings = fields.read();
    if (settings.text.trim() === '') {
      this.#explain({ title: 'There is nothing to speak', advice: 'Type a sentence first.' });
      fields.text.focus();
      return;
    }
    void this.#speaking?.stop();
    const speaking = new Speaking(settings);
    this.#speaking = speaking;
    const current = () => this.#speaking === speaking;
    let failed = false;
    display.begin(settings.text);
    this.#show('asking', 'Asking the service …');
    display.follow(speaking, () => current() && this.#isBusy);
    await speaking.run({
      record: (request) => {
        this.#previews += 1;
        display.evidence.show(settings, request, 'What Speak did.');
      },
      answered: () => current() && this.#show('speaking', 'Speaking.'),
      failed: ({ from, error }) => {
        failed = true;
        if (!current()) return;
        const receivedSeconds = from === 'service' ? speaking.receivedSeconds : 0;
        this.#explain(explainError(error, { baseUrl: settings.baseUrl, receivedSeconds }));
      },
    });
    if (!current()) return;
    display.draw(speaking);
    display.darken();
    this.#finish(speaking, failed);
    if (!failed && !this.#voicesListed) await this.#listVoices(fields, display);
  }

  #finish(speaking: Speaking, failed: boolean): void {
    const seconds = speaking.position.toFixed(1);
    if (failed && speaking.pieces.length > 0) this.#show('failed', `Broke off after ${seconds} s.`);
    else if (failed) this.#show('failed', 'Nothing was spoken.');
    else if (speaking.stopped) this.#show('stopped', `Stopped after ${seconds} s.`);
    else this.#show('done', `Heard ${seconds} s, ${speaking.timeline.segments.length} words.`);
  }

  get #isBusy(): boolean {
    return this.dataset.state === 'asking' || this.dataset.state === 'speaking';
  }

  #show(state: State, status: string): void {
    this.dataset.state = state;
    find(this, '[data-status]').textContent = status;
    find<HTMLButtonElement>(this, '[data-stop]').disabled = !this.#isBusy;
    find<HTMLTextAreaElement>(this, 'textarea').readOnly = this.#isBusy;
    const over = state === 'done' || state === 'stopped' || state === 'failed';
    const { pieces = [], timeline } = (over && this.#speaking) || {};
    find<HTMLButtonElement>(this, '[data-save="audio"]').disabled = pieces.length === 0;
    find<HTMLButtonElement>(this, '[data-save="captions"]').disabled =
      !timeline || timeline.segments.length === 0;
  }

  #explain(explanation: Explanation | undefined): void {
    showProblem(find(this, '[data-problem]'), explanation);
  }

  async #saveAudio(): Promise<void> {
    if (!this.#speaking) return;
    const { settings, pieces } = this.#speaking;
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    // A streamed wav says nothing true about its length; a file does.
    const file = settings.format === 'wav' ? finishWav(bytes) : bytes;
    saveFile(`speech.${settings.format}`, audioMediaTypes[settings.format], [file]);
  }

  #saveCaptions(): void {
    if (this.#speaking) saveFile('speech.vtt', 'text/vtt', [this.#speaking.timeline.toVtt()]);
  }
}

function isConnection(field: EventTarget | null): boolean {
  return field instanceof HTMLInputElement && (field.name === 'baseUrl' || field.name === 'apiKey');
}

customElements.define('speech-playground', SpeechPlayground);
