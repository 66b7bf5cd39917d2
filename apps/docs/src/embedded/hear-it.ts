import { find, loadPart } from '../playground/page/page.ts';
import { beginSound } from './one-sound.ts';
import type { HearWords } from './spoken-by.ts';
import { limitOf } from './voice-limits.ts';

/** A button that lets a text be heard, which the page speaks by itself. */
class HearIt extends HTMLElement {
  #playing: AbortController | undefined;

  connectedCallback(): void {
    const form = this.querySelector('form');
    const button = find<HTMLButtonElement>(this, 'button');
    button.disabled = false;
    (form ?? button).addEventListener(form ? 'submit' : 'click', (event) => {
      event.preventDefault();
      if (this.#playing === undefined) void this.#play();
      else this.#playing.abort();
    });
  }

  async #play(): Promise<void> {
    const label = find(this, '[data-label]');
    const status = find(this, '[data-status]');
    const action = label.textContent;
    const playing = new AbortController();
    const { signal } = playing;
    this.#playing = playing;
    this.dataset.state = 'playing';
    label.textContent = 'Stop';
    status.textContent = '';
    beginSound(() => playing.abort());
    try {
      // Nothing of the engine or the player is loaded before the click.
      const { lightWords, play } = await loadPart(import('./recite.ts'));
      const silent = (sentence: string): void => {
        status.textContent = sentence;
      };
      const { text, ...settings } = this.#words();
      status.textContent = 'Loading the voice …';
      const { eventsHere } = await loadPart(import('./events-here.ts'));
      const events = eventsHere(text, `${this.dataset.base ?? '/'}engine/`, signal, settings);
      const started = () => {
        status.textContent = `This page is speaking: the sandbox’s own engine, no server.${limitOf(text)}`;
      };
      const { audio, draw } = lightWords(events, text, find(this, '[data-words]'));
      await play(audio, { format: 'wav', draw, started, silent }, signal);
      status.textContent = signal.aborted ? 'Stopped.' : 'Spoken by this page, without a server.';
      this.dataset.state = signal.aborted ? 'stopped' : 'heard';
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      status.textContent = signal.aborted ? 'Stopped.' : `This page cannot play it: ${reason}`;
      this.dataset.state = 'stopped';
    } finally {
      this.#playing = undefined;
      label.textContent = action;
    }
  }

  /** The words of an example, or those that were typed. */
  #words(): HearWords {
    const input = this.querySelector('input');
    if (input === null) return JSON.parse(this.dataset.say ?? '{}');
    const text = input.value.trim() || input.placeholder;
    const open = find<HTMLAnchorElement>(this, '[data-open]');
    open.hash = new URLSearchParams({ text }).toString();
    open.hidden = false;
    return { text };
  }
}

customElements.define('hear-it', HearIt);
