import { find } from '../playground/page/page.ts';

/** The request of an operation, to edit and to send. What sends it is loaded by the first press of Run. */
class ApiRun extends HTMLElement {
  #running: AbortController | undefined;

  connectedCallback(): void {
    const form = find<HTMLFormElement>(this, 'form');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#running === undefined) void this.#run();
      else this.#running.abort();
    });
  }

  async #run(): Promise<void> {
    const button = find<HTMLButtonElement>(this, '[data-run]');
    const running = new AbortController();
    this.#running = running;
    button.textContent = 'Stop';
    try {
      const { run } = await import('./run.ts');
      await run(this, running.signal);
    } finally {
      this.#running = undefined;
      button.textContent = 'Run';
    }
  }
}

customElements.define('api-run', ApiRun);
