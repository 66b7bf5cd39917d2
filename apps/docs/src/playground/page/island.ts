import { ConnectionError } from '@speech-api/client';
import { AddressError, isAnswering, isLoopback, originOf } from '../connection/address.ts';
import { type Connection, ConnectionFields } from '../connection/fields.ts';
import { listVoices, type Voice } from '../connection/voices.ts';
import { Evidence } from '../evidence/evidence.ts';
import type { Explanation } from '../explain-error.ts';
import { explainAddress, explainError, showProblem } from '../explain-error.ts';
import { find } from './page.ts';

/** What an island does with what all islands have. */
export interface IslandOptions {
  /** What the button says that begins. */
  readonly action: string;
  /** What is said where no server answers and the page can do without; otherwise it is said what is missing. */
  readonly alone?: string;
  /** The address or the key changed: what is shown for them is no longer true. */
  connectionChanged(): void;
  /** Gets the voices of the service; left out where none are chosen. */
  offer?(voices: readonly Voice[]): void;
}

/** What every island has: a connection, the evidence, a place for problems, and the voices of the service. */
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
    this.connection = new ConnectionFields(root, () => {
      this.#voicesListed = false;
      this.explain(undefined);
      options.connectionChanged();
    });
  }

  /**
   * Learns where the sandbox is. Before it is asked to, a page calls no sandbox that was not started beside it, and a
   * page from elsewhere does not knock on the reader's machine.
   */
  async begin(): Promise<void> {
    const hasSandbox = await this.connection.takeSandbox(this.#root.dataset.base ?? '/');
    this.#options.connectionChanged();
    if (hasSandbox && isLoopback(location.origin)) await this.listVoices();
    this.#root.dataset.ready = '';
    for (const button of this.#root.querySelectorAll<HTMLButtonElement>('[type="submit"]'))
      button.disabled = false;
  }

  /** Where a call goes, decided and shown before; undefined, with the reason in its field, where it cannot. */
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
    const { offer, action } = this.#options;
    if (this.#voicesListed || offer === undefined) return;
    const connection = this.connection.read();
    if (originOf(connection.baseUrl) === undefined) return;
    try {
      offer(await listVoices(connection));
      this.#voicesListed = true;
    } catch (error) {
      const { baseUrl } = connection;
      const { title } = explainError(error, {
        baseUrl,
        pageUrl: location.href,
        action,
        answered: false,
        receivedSeconds: 0,
      });
      // Nobody asked yet, so a line says it; the button says it in full.
      const status = find(this.#root, '[data-status]');
      const isSilent = ConnectionError.isInstance(error) && isLoopback(baseUrl);
      if (this.#root.dataset.state === 'idle')
        status.textContent = (isSilent ? this.#options.alone : undefined) ?? `${title}.`;
    }
  }

  /** Shows what went wrong, or nothing. */
  explain(explanation: Explanation | undefined): void {
    showProblem(find(this.#root, '[data-problem]'), explanation, (field) => this.connection.show(field));
  }

  /** Shows what an error means. */
  async explainError(error: unknown, answered: boolean): Promise<void> {
    const { baseUrl } = this.connection.read();
    const { action } = this.#options;
    const isThere = ConnectionError.isInstance(error) && !answered && (await isAnswering(baseUrl));
    const situation = { baseUrl, pageUrl: location.href, action, answered, receivedSeconds: 0, isThere };
    this.explain(explainError(error, situation));
  }
}
