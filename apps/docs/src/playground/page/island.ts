import { ConnectionError } from '@speech-api/client';
import { AddressError, isAnswering, isLoopback } from '../connection/address.ts';
import { type Connection, ConnectionFields, findServers, type Servers } from '../connection/fields.ts';
import { offerVoices } from '../connection/voices.ts';
import { type Explanation, explainError, showProblem } from '../explain-error.ts';
import { showSound } from '../sound/sound-fields.ts';
import { find } from './page.ts';

/**
 * What both playgrounds have: a form with a button that begins, one that stops, settings, a connection, a line that
 * says how it goes, and a place for problems. Its script is a module, so its parts are there when it is made.
 */
export abstract class Island extends HTMLElement {
  /** The label of the button that begins. */
  abstract readonly action: string;
  readonly form = find<HTMLFormElement>(this, 'form');
  readonly text = find<HTMLTextAreaElement>(this.form, 'textarea');
  readonly connection: ConnectionFields;
  readonly #status = find(this, '[data-status]');

  /** @param protocols the protocols that an address may have, unless they are those of HTTP */
  constructor(protocols?: readonly string[]) {
    super();
    this.connection = new ConnectionFields(this, () => this.reconnect(), protocols);
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.begin();
    });
    this.form.addEventListener('input', () => showSound(this.form));
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.stop();
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      this.begin();
    });
    find(this, '[data-stop]').addEventListener('click', () => this.stop());
    const keys = this.querySelector('[data-command-key]');
    if (keys && /Mac|iPhone|iPad/.test(navigator.platform)) keys.textContent = '⌘\u202fEnter';
  }

  /** Learns which servers were started beside this page. */
  async connectedCallback(): Promise<void> {
    showSound(this.form);
    await this.start(await findServers(this.dataset.base ?? '/'));
    this.dataset.ready = '';
    find<HTMLButtonElement>(this, '[type="submit"]').disabled = false;
  }

  abstract start(servers: Servers): Promise<void>;
  /** The reader pressed the button, or Ctrl+Enter anywhere in the island. */
  abstract begin(): void;
  /** The reader pressed Stop or Escape. */
  abstract stop(): void;

  /** The reader changed the connection. */
  reconnect(): void {
    this.explain(undefined);
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

  /** Connection for a call to the address on display; undefined if unusable, with the reason in its field. */
  choose(): Connection | undefined {
    try {
      return this.connection.choose();
    } catch (error) {
      const { baseUrl } = this.connection;
      this.explain(explainError(error, { baseUrl, action: this.action }));
      this.connection.show('baseUrl');
      return undefined;
    }
  }

  /** Offers the voices of the service on display. Nobody pressed anything yet, so a line says what fails. */
  async listVoices(): Promise<void> {
    try {
      await offerVoices(this.form, this.connection.choose());
    } catch (error) {
      if (error instanceof AddressError || this.state !== 'idle') return;
      const { baseUrl } = this.connection;
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

  async explainError(
    error: unknown,
    progress: { answered: boolean; receivedSeconds: number },
  ): Promise<void> {
    const { baseUrl } = this.connection;
    const isSilent = ConnectionError.isInstance(error) && !progress.answered;
    const isThere = isSilent && (await isAnswering(baseUrl));
    this.explain(explainError(error, { baseUrl, action: this.action, isThere, ...progress }));
  }
}
