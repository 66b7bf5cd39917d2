import { ConnectionFields, findServers } from '../playground/connection/fields.ts';
import { find, loadPart } from '../playground/page/page.ts';
import { readRequest } from './request.ts';
import { takeSamples } from './sample-view.ts';

/** The request of an operation, to edit and to send. What sends it is loaded by the first press of Run. */
class ApiRun extends HTMLElement {
  #running: AbortController | undefined;

  connectedCallback(): void {
    const form = find<HTMLFormElement>(this, 'form');
    const button = find<HTMLButtonElement>(this, '[data-run]');
    const connection = new ConnectionFields(this);
    const { templates, types } = JSON.parse(this.dataset.samples ?? '{}');
    const show = takeSamples(this.closest('.samples') ?? this, templates, types);
    const showSamples = () => show(readRequest(this));
    showSamples();
    this.addEventListener('input', showSamples);
    this.addEventListener('change', showSamples);
    // The second press of a double click would stop what the first one began.
    button.addEventListener('click', (event) => {
      if (event.detail > 1) event.preventDefault();
    });
    form.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
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
      const { run } = await loadPart(import('./run.ts'));
      await run(this, connection, running);
    } catch (error) {
      const problem = find(this, '[data-problem]');
      problem.hidden = false;
      problem.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      this.#running = undefined;
      button.textContent = 'Run';
    }
  }
}

customElements.define('api-run', ApiRun);
