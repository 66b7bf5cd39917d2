import { ConnectionError } from '@speech-api/client';
import { AddressError, isAnswering, isLoopback, originOf } from '../connection/address.ts';
import { type Connection, ConnectionFields } from '../connection/fields.ts';
import { listVoices, type Voice } from '../connection/voices.ts';
import { Evidence } from '../evidence/evidence.ts';
import { type Explanation, explainAddress, explainError, showProblem } from '../explain-error.ts';
import { find } from './page.ts';

/** Behaviour of one island, in addition to that of every island. */
export interface IslandOptions {
  /** The label of the button that begins. */
  readonly action: string;
  /** Shown where no server answers and the page can do without; otherwise the page says what is missing. */
  readonly alone?: string;
  /** The reader pressed the button, or Ctrl+Enter anywhere in the island. */
  begin(): void;
  /** A field changed: what is shown for it is no longer true. */
  changed(): void;
  /** Gets the voices of the service; left out where none are chosen. */
  offer?(voices: readonly Voice[]): void;
}

/** Common parts of the islands: connection, evidence, a place for problems, and the service's voices. */
export class Island {
  readonly connection: ConnectionFields;
  readonly evidence: Evidence;
  readonly #root: HTMLElement;
  readonly #options: IslandOptions;
  #voicesListed = false;

  constructor(root: HTMLElement, options: IslandOptions) {
    this.#root = root;
    this.#options = options;
    this.evidence = new Evidence(root);
    const form = find<HTMLFormElement>(root, 'form');
    this.connection = new ConnectionFields(root, () => {
      this.#voicesListed = false;
      this.explain(undefined);
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      options.begin();
    });
    form.addEventListener('input', () => options.changed());
    root.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      options.begin();
    });
    if (/Mac|iPhone|iPad/.test(navigator.platform))
      find(root, '[data-command-key]').textContent = '⌘\u202fEnter';
  }

  /**
   * Learns where the sandbox is. Before it is asked to, a page calls no sandbox that was not started beside it, and a
   * page from elsewhere does not knock on the reader's machine.
   */
  async start(): Promise<void> {
    const hasSandbox = await this.connection.takeSandbox(this.#root.dataset.base ?? '/');
    this.#options.changed();
    if (hasSandbox && isLoopback(location.origin)) await this.listVoices();
    this.#root.dataset.ready = '';
    find<HTMLButtonElement>(this.#root, '[type="submit"]').disabled = false;
  }

  /** Connection for a call to the address on display; undefined if unusable, with the reason in its field. */
  choose(): Connection | undefined {
    if (this.#root.dataset.ready === undefined) return undefined;
    try {
      return this.connection.choose();
    } catch (error) {
      if (!(error instanceof AddressError)) throw error;
      this.explain(explainAddress(error));
      this.connection.show(error.field);
      return undefined;
    }
  }

  /** Asks for the voices, unless it knows them. */
  async listVoices(): Promise<void> {
    const { offer, action, alone } = this.#options;
    const connection = this.connection.read();
    const { baseUrl } = connection;
    if (this.#voicesListed || offer === undefined || originOf(baseUrl) === undefined) return;
    try {
      offer(await listVoices(connection));
      this.#voicesListed = true;
    } catch (error) {
      // Nobody asked yet, so a line says it; the button says it in full.
      if (this.#root.dataset.state !== 'idle') return;
      const isSilent = ConnectionError.isInstance(error) && isLoopback(baseUrl);
      const { title } = explainError(error, { baseUrl, action });
      find(this.#root, '[data-status]').textContent = (isSilent ? alone : undefined) ?? `${title}.`;
    }
  }

  /** Shows what went wrong, or nothing. */
  explain(explanation: Explanation | undefined): void {
    showProblem(find(this.#root, '[data-problem]'), explanation, (field) => this.connection.show(field));
  }

  /** Shows what an error means. */
  async explainError(error: unknown, answered: boolean): Promise<void> {
    const { baseUrl } = this.connection.read();
    const isThere = ConnectionError.isInstance(error) && !answered && (await isAnswering(baseUrl));
    this.explain(explainError(error, { baseUrl, action: this.#options.action, answered, isThere }));
  }
}
