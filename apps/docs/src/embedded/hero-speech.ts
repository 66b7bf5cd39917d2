import { find } from '../playground/page/page.ts';
import { limitOf, silentWords } from './voice-limits.ts';

/** The start page speaks a sentence or two; the playground speaks all of a text. */
const maximumCharacters = 400;

/** The start page's form: speaks in place, word by word, with nothing but this site. */
class HeroSpeech extends HTMLElement {
  #stopped: AbortController | undefined;

  connectedCallback(): void {
    const form = find<HTMLFormElement>(this, 'form');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#stopped === undefined) void this.#speak(form);
      else this.#stopped.abort();
    });
  }

  async #speak(form: HTMLFormElement): Promise<void> {
    const input = find<HTMLInputElement>(form, 'input');
    const button = find<HTMLButtonElement>(form, 'button');
    const status = find(this, '[data-status]');
    const whole = input.value.trim() || input.placeholder;
    const text = [...whole].slice(0, maximumCharacters).join('');
    const cut =
      text === whole ? '' : ` The first ${maximumCharacters} characters: the playground speaks all.`;
    const open = find<HTMLAnchorElement>(this, '[data-open]');
    open.search = new URLSearchParams({ text: whole }).toString();
    open.hidden = false;
    const stopped = new AbortController();
    this.#stopped = stopped;
    button.textContent = 'Stop';
    status.textContent = 'Loading the voice …';
    try {
      // Nothing of the engine or the player is loaded before the click.
      const { recite } = await import('./recite.ts');
      await recite({
        text,
        folder: `${this.dataset.base ?? '/'}engine/`,
        stage: find(this, '[data-words]'),
        stopped,
        started: () => {
          status.textContent = `This page is speaking: the sandbox’s own engine, no server.${cut}${limitOf(text)}`;
        },
        silent: () => {
          status.textContent = silentWords;
        },
      });
      status.textContent = stopped.signal.aborted
        ? 'Stopped.'
        : `Spoken by this page, without a server.${cut}`;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      status.textContent = stopped.signal.aborted ? 'Stopped.' : `This page cannot speak here: ${reason}`;
    } finally {
      this.#stopped = undefined;
      button.textContent = 'Hear it';
    }
  }
}

customElements.define('hero-speech', HeroSpeech);
