import { ConnectionFields, findServers } from '../playground/connection/fields.ts';
import { find } from '../playground/page/page.ts';

/** The request of an operation, to edit and to send. What sends it is loaded by the first press of Run. */
class ApiRun extends HTMLElement {
  #running: AbortController | undefined;

  connectedCallback(): void {
    const form = find<HTMLFormElement>(this, 'form');
    const button = find<HTMLButtonElement>(this, '[data-run]');
    const connection = new ConnectionFields(this);
    // The second press of a double click would stop what the first one began.
    button.addEventListener('click', (event) => {
      if (event.detail > 1) event.preventDefault();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (button.disabled) return;
      if (this.#running === undefined) void this.#run(connection, button);
      else this.#running.abort();
    });
    // Nothing can be sent before it is known, and shown, where it would go.
    void findServers(this.dataset.base ?? '/').then(({ baseUrl }) => {
      connection.take(baseUrl);
      button.disabled = false;
    });
  }

  async #run(connection: ConnectionFields, button: HTMLButtonElement): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    button.textContent = 'Stop';
    try {
      const { run } = await import('./run.ts');
      await run(this, connection, running.signal);
    } finally {
      this.#running = undefined;
      button.textContent = 'Run';
    }
  }
}

customElements.define('api-run', ApiRun);
