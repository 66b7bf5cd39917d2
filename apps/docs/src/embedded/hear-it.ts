import { find } from '../playground/page/page.ts';
import { beginSound } from './one-sound.ts';
import type { HearWords } from './spoken-by.ts';
import { limitOf, silentWords } from './voice-limits.ts';

/** A button that lets an example be heard: a file of the site, or a text that the page speaks by itself. */
class HearIt extends HTMLElement {
  #stopped: AbortController | undefined;

  connectedCallback(): void {
    const button = find<HTMLButtonElement>(this, 'button');
    button.disabled = false;
    button.addEventListener('click', () => {
      if (this.#stopped === undefined) void this.#play();
      else this.#stopped.abort();
    });
  }

  async #play(): Promise<void> {
    const label = find(this, '[data-label]');
    const status = find(this, '[data-status]');
    const said = label.textContent;
    const stopped = new AbortController();
    const { signal } = stopped;
    this.#stopped = stopped;
    this.dataset.state = 'playing';
    label.textContent = 'Stop';
    status.textContent = '';
    try {
      const { src, rate, say, base = '/' } = this.dataset;
      // Nothing of the engine, the player or the file is loaded before the click.
      if (src !== undefined) {
        const { playFile } = await import('./play-file.ts');
        beginSound(() => stopped.abort());
        await playFile(src, rate === undefined ? undefined : Number(rate), signal);
      } else {
        const { text, ...settings }: HearWords = JSON.parse(say ?? '{}');
        const { recite } = await import('./recite.ts');
        await recite({
          text,
          settings,
          folder: `${base}engine/`,
          stage: find(this, '[data-words]'),
          stopped,
          started: () => {
            status.textContent = `This page is speaking, with the sandbox’s engine.${limitOf(text)}`;
          },
          silent: () => {
            status.textContent = silentWords;
          },
        });
      }
      if (!signal.aborted) this.dataset.state = 'heard';
    } catch (error) {
      if (!signal.aborted) {
        status.textContent = `This page cannot play it: ${error instanceof Error ? error.message : String(error)}`;
      }
    } finally {
      this.#stopped = undefined;
      if (this.dataset.state === 'playing') this.dataset.state = 'stopped';
      label.textContent = said;
    }
  }
}

customElements.define('hear-it', HearIt);
