import type { SpeechEvent } from '@speech-api/streaming';
import { beginSound } from '../embedded/one-sound.ts';
import { find } from '../playground/page/page.ts';
import { EventLog } from './event-log.ts';

/** More text than anybody reads on a page. */
const mostCharacters = 60_000;

export class AnswerView {
  readonly #root: HTMLElement;
  readonly #status: HTMLElement;
  readonly #headers: HTMLElement;
  readonly #body: HTMLElement;
  readonly #events: HTMLElement;
  readonly #audio: HTMLAudioElement;
  readonly #log: EventLog;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#status = find(root, '[data-answer-status]');
    this.#headers = find(root, '[data-answer-headers]');
    this.#body = find(root, '[data-answer-body]');
    this.#events = find(root, '[data-answer-events]');
    this.#audio = find(root, 'audio');
    this.#log = new EventLog(root);
    const stop = () => this.#audio.pause();
    this.#audio.addEventListener('play', () => beginSound(stop));
  }

  /** Shows nothing but that something is on its way. */
  clear(words: string): void {
    this.#root.hidden = false;
    delete this.#root.dataset.state;
    this.#status.textContent = words;
    this.#headers.replaceChildren();
    this.#body.replaceChildren();
    this.#body.hidden = true;
    find(this.#root, '[data-answer-head]').hidden = true;
    this.#events.hidden = true;
    this.#log.clear();
    this.#audio.pause();
    URL.revokeObjectURL(this.#audio.src);
    this.#audio.removeAttribute('src');
    this.#audio.hidden = true;
  }

  /** Scrolls just far enough for it to be seen, in the column or on the page. */
  reveal(): void {
    this.#root.scrollIntoView({ block: 'nearest' });
  }

  /** The status, how long it took, and the headers that a page may read. */
  head({ status, statusText, ok, headers }: Response, milliseconds: number): void {
    const time = `${Math.round(milliseconds)} ms`;
    this.#root.dataset.state = ok ? 'good' : 'refused';
    const code = document.createElement('strong');
    code.textContent = `${status} ${statusText}`.trim();
    this.#status.replaceChildren(code, ` in ${time}`);
    for (const [name, text] of headers) {
      const [term, detail] = [document.createElement('dt'), document.createElement('dd')];
      term.textContent = name;
      detail.textContent = text;
      this.#headers.append(term, detail);
    }
    find(this.#root, '[data-answer-head]').hidden = this.#headers.childElementCount === 0;
  }

  text(text: string, type: string): void {
    if (text === '') {
      this.nothing();
      return;
    }
    const shown = /json/.test(type) ? pretty(text) : text;
    const rest = shown.length - mostCharacters;
    this.#body.textContent = shown.slice(0, mostCharacters);
    if (rest > 0) this.#body.append(`\n… ${rest.toLocaleString('en')} further characters`);
    this.#body.hidden = false;
  }

  nothing(): void {
    this.#status.append(', without a body');
  }

  /** Lists the events of a stream while they are read. */
  async *list(events: AsyncIterable<SpeechEvent>): AsyncGenerator<SpeechEvent> {
    this.#events.hidden = false;
    for await (const event of events) {
      if (event.type === 'audio-chunk') this.#log.add(event.audio.length, event.wire);
      yield event;
    }
  }

  /** Plays it: the press of Run is what a browser asks for. */
  audio(audio: Blob): void {
    this.#audio.src = URL.createObjectURL(audio);
    this.#audio.hidden = false;
    // A browser that refuses leaves the controls.
    this.#audio.play().catch(() => undefined);
    this.#status.append(`, ${audio.size.toLocaleString('en')} bytes of audio`);
  }

  speakHere(words: string): void {
    this.#root.dataset.state = 'here';
    this.#status.textContent = words;
  }

  fail(words: string): void {
    this.#status.textContent = words;
    this.#root.hidden = words === '';
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
