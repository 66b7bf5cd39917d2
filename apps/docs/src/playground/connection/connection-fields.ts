import { find } from '../page/find.ts';
import type { Connection } from './connection.ts';
import { findSandbox } from './sandbox-address.ts';

/** The two fields of the connection. Neither has a name, so no form can ever put the key into an address. */
export class ConnectionFields {
  readonly #root: HTMLElement;
  readonly #baseUrl: HTMLInputElement;
  readonly #apiKey: HTMLInputElement;

  /** @param changed told of each change, and whether the field was left with it */
  constructor(island: HTMLElement, changed: (isFinished: boolean) => void) {
    this.#root = find(island, '[data-connection]');
    this.#baseUrl = find(this.#root, '[data-base-url]');
    this.#apiKey = find(this.#root, '[data-key]');
    this.#root.addEventListener('input', () => {
      this.#reflect();
      changed(false);
    });
    this.#root.addEventListener('change', () => changed(true));
  }

  read(): Connection {
    return {
      baseUrl: this.#baseUrl.value.trim().replace(/\/+$/, ''),
      apiKey: this.#apiKey.value.trim(),
    };
  }

  /** Takes the address of the sandbox that was started beside this page. */
  async takeSandbox(base: string): Promise<void> {
    const before = this.#baseUrl.value;
    const address = await findSandbox(base);
    // Whoever has typed an address meanwhile keeps it.
    if (this.#baseUrl.value === before) this.#baseUrl.value = address;
    this.#reflect();
  }

  /** Opens the fields and puts the cursor where the mistake is. */
  show(field: 'baseUrl' | 'apiKey'): void {
    if (this.#root instanceof HTMLDetailsElement) this.#root.open = true;
    (field === 'apiKey' ? this.#apiKey : this.#baseUrl).focus();
  }

  #reflect(): void {
    find(this.#root, '[data-where]').textContent = this.read().baseUrl;
  }
}
