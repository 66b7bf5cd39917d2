import { ConnectionError } from '@speech-api/client';
import { AddressError, isAnswering, isLoopback } from '../connection/address.ts';
import { type Connection, ConnectionFields, findServers } from '../connection/fields.ts';
import { listVoices, type Voice } from '../connection/voices.ts';
import { type Explanation, explainAddress, explainError, showProblem } from '../explain-error.ts';
import { find } from './page.ts';

/**
 * What every playground has: a form with a button that begins, one that stops, a connection, a line that says how it goes,
 * and a place for problems. Its script is a module, so its parts are there when it is made.
 */
export abstract class Island extends HTMLElement {
  /** The label of the button that begins. */
  abstract readonly action: string;
  readonly form = find<HTMLFormElement>(this, 'form');
  readonly connection: ConnectionFields;
  readonly #status = find(this, '[data-status]');
  #voicesListed = false;

  /** @param protocols of the addresses that can be called, unless it is a service */
  constructor(protocols?: readonly string[]) {
    super();
    this.connection = new ConnectionFields(
      this,
      () => {
        this.#voicesListed = false;
        this.explain(undefined);
      },
      protocols,
    );
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.begin();
    });
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.stop();
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      this.begin();
    });
    find(this, '[data-stop]').addEventListener('click', () => this.stop());
    for (const button of this.saves)
      button.addEventListener('click', () => void this.save(button.dataset.save ?? ''));
    const keys = this.querySelector('[data-command-key]');
    if (keys && /Mac|iPhone|iPad/.test(navigator.platform)) keys.textContent = '⌘\u202fEnter';
  }

  connectedCallback(): void {
    void this.start();
  }

  /** The reader pressed the button, or Ctrl+Enter anywhere in the island. */
  abstract begin(): void;
  /** The reader pressed Stop or Escape. */
  abstract stop(): void;
  /** The reader wants a file, of the kind that the button names. */
  save(_kind: string): unknown {
    return undefined;
  }
  /** Gets the voices of the service, where some can be chosen. */
  offer?(voices: readonly Voice[]): void;

  get saves(): NodeListOf<HTMLButtonElement> {
    return this.querySelectorAll('[data-save]');
  }

  get state(): string {
    return this.dataset.state ?? 'idle';
  }

  show(state: string, status: string): void {
    this.dataset.state = state;
    this.say(status);
  }

  /** Changes the line; set to the same again, it would be read out again. */
  say(status: string): void {
    if (this.#status.textContent !== status) this.#status.textContent = status;
  }

  /**
   * Learns where the sandbox is. Before it is asked to, a page calls no sandbox that was not started beside it, and a
   * page from elsewhere does not knock on the reader's machine.
   */
  async start(): Promise<void> {
    const { baseUrl } = await findServers(this.dataset.base ?? '/');
    this.connection.take(baseUrl);
    if (baseUrl !== undefined && isLoopback(location.origin)) await this.listVoices();
    this.dataset.ready = '';
    find<HTMLButtonElement>(this, '[type="submit"]').disabled = false;
  }

  /** Connection for a call to the address on display; undefined if unusable, with the reason in its field. */
  choose(): Connection | undefined {
    if (this.dataset.ready === undefined) return undefined;
    try {
      return this.connection.choose();
    } catch (error) {
      if (!(error instanceof AddressError)) throw error;
      this.explain(explainAddress(error));
      this.connection.show(error.field);
      return undefined;
    }
  }

  async listVoices(): Promise<void> {
    if (this.#voicesListed || this.offer === undefined) return;
    const { baseUrl, apiKey } = this.connection.read();
    const isChanged = () => {
      const now = this.connection.read();
      return now.baseUrl !== baseUrl || now.apiKey !== apiKey;
    };
    try {
      const voices = await listVoices(this.connection.choose());
      if (isChanged()) return;
      this.offer(voices);
      this.#voicesListed = true;
    } catch (error) {
      // Nobody asked yet, so a line says it; the button says it in full.
      if (error instanceof AddressError || isChanged() || this.state !== 'idle') return;
      const isSilent = ConnectionError.isInstance(error) && isLoopback(baseUrl);
      this.say(
        isSilent
          ? 'No sandbox answers; this page speaks by itself, in English and Chinese.'
          : `${explainError(error, { baseUrl, action: this.action }).title}.`,
      );
    }
  }

  explain(explanation: Explanation | undefined): void {
    showProblem(find(this, '[data-problem]'), explanation, (field) => this.connection.show(field));
  }

  async explainError(error: unknown, answered: boolean): Promise<void> {
    const { baseUrl } = this.connection.read();
    const isThere = ConnectionError.isInstance(error) && !answered && (await isAnswering(baseUrl));
    this.explain(explainError(error, { baseUrl, action: this.action, answered, isThere }));
  }
}
