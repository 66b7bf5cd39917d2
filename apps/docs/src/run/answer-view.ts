import type { SpeechEvent } from '@speech-api/streaming';
import { beginSound } from '../embedded/one-sound.ts';
import { find } from '../playground/page/page.ts';
import { formatJson } from '../reference/format-json.ts';

/** More text than anybody reads on a page. */
const maximumCharacters = 60_000;
/** Characters of the audio in an event that are shown: enough to see that it is base64. */
const shownCharacters = 24;

/** Shows the answer to a request below it: status, headers, audio, and the body as text. */
export class AnswerView {
  readonly #root: HTMLElement;
  readonly #status: HTMLElement;
  readonly #headers: HTMLElement;
  readonly #body: HTMLElement;
  readonly #audio: HTMLAudioElement;
  /** Where the words of an answer are lit while they are heard. */
  readonly words: HTMLElement;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#status = find(root, '[data-answer-status]');
    this.#headers = find(root, '[data-answer-headers]');
    this.#body = find(root, '[data-answer-body]');
    this.#audio = find(root, 'audio');
    this.words = find(root, '[data-words]');
    const stop = () => this.#audio.pause();
    this.#audio.addEventListener('play', () => beginSound(stop));
  }

  /** Takes away the last answer, and says what is happening. */
  clear(words: string): void {
    this.#root.hidden = false;
    delete this.#root.dataset.state;
    this.#status.textContent = words;
    this.#body.textContent = '';
    this.#audio.pause();
    URL.revokeObjectURL(this.#audio.src);
    this.#audio.removeAttribute('src');
    for (const part of [this.#headers, this.#body, this.#audio, this.words]) part.hidden = true;
  }

  /** Scrolls just far enough for it to be seen, in the column or on the page. */
  reveal(): void {
    this.#root.scrollIntoView({ block: 'nearest' });
  }

  /** The status, how long it took, and the headers that a page may read. */
  head({ status, statusText, ok, headers }: Response, milliseconds: number): void {
    this.#root.dataset.state = ok ? 'good' : 'refused';
    const code = document.createElement('strong');
    code.textContent = `${status} ${statusText}`.trim();
    this.#status.replaceChildren(code, ` in ${Math.round(milliseconds)} ms`);
    const lines = [...headers].map(([name, text]) => `${name}: ${text}`);
    find(this.#headers, 'pre').textContent = lines.join('\n');
    this.#headers.hidden = lines.length === 0;
  }

  text(text: string): void {
    if (text === '') this.#status.append(', without a body');
    this.#body.hidden = text === '';
    this.#body.append(text.slice(0, maximumCharacters));
    if (text.length > maximumCharacters) this.#body.append(`\n… and more, ${text.length} characters in all`);
  }

  /** Lists the events of a stream while they are read, with their audio shortened. */
  async *list(events: AsyncIterable<SpeechEvent>): AsyncGenerator<SpeechEvent> {
    this.#body.hidden = false;
    for await (const event of events) {
      if (event.type === 'audio-chunk' && this.#body.textContent.length < maximumCharacters) {
        const { audio_base64: audio } = event.wire;
        const shortened = `${audio.slice(0, shownCharacters)}… (${audio.length} characters)`;
        this.#body.append(`${formatJson({ ...event.wire, audio_base64: shortened })}\n`);
      }
      yield event;
    }
  }

  /** Puts it into the controls, to be heard once more or saved. */
  audio(audio: Blob): void {
    this.#audio.src = URL.createObjectURL(audio);
    this.#audio.hidden = false;
    this.note(`${audio.size.toLocaleString('en')} bytes of audio`);
  }

  /** Adds to the status. */
  note(words: string): void {
    this.#status.append(`, ${words}`);
  }

  /** Says something in the place of a status; an empty text hides the answer. */
  say(words: string): void {
    this.#status.textContent = words;
    this.#root.hidden = words === '';
  }
}
