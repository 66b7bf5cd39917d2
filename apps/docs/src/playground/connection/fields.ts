import { find } from '../page/page.ts';
import { originOf, readBaseUrl } from './address.ts';

/** Base URL and key of a call. The key is stored only here and in its field. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Options of the client for a call that the reader makes here, once. Without a key, the service says that it needs one. */
export const clientOptions = ({ baseUrl, apiKey }: Connection) =>
  ({ baseUrl, apiKey: apiKey || null, allowBrowserKey: true, retry: { retries: 0 } }) as const;

/** The public key of the sandbox. It is not a secret. */
export const sandboxKey = 'sandbox-key';

/** Default addresses of the sandbox and the relay. */
export const defaultSandboxUrl = 'http://127.0.0.1:4010';
export const defaultRelayUrl = 'ws://127.0.0.1:4030';

/** The servers that were started beside this page; undefined where none were. */
export interface Servers {
  readonly baseUrl?: string;
  readonly relayUrl?: string;
}

/**
 * Asks the server of this page where its sandbox and its relay are. `npm start` answers, because they move to another
 * port if one is in use. The file that a plain host has there names none.
 */
export async function findServers(base: string): Promise<Servers> {
  const response = await fetch(`${base}sandbox.json`, { cache: 'no-store' }).catch(() => undefined);
  const answer: unknown = response?.ok ? await response.json().catch(() => null) : null;
  return answer ?? {};
}

/**
 * The fields of the connection: an address, and a key unless a relay has it. Neither has a name, so no form can ever put
 * the key into an address.
 */
export class ConnectionFields {
  readonly #island: HTMLElement;
  readonly #protocols: readonly string[] | undefined;
  readonly #baseUrl: HTMLInputElement;
  readonly #apiKey: HTMLInputElement | null;
  isEdited = false;

  /** @param changed called with each change; nothing is sent for it before a button or a list is pressed */
  constructor(island: HTMLElement, changed = () => {}, protocols?: readonly string[]) {
    this.#island = island;
    this.#protocols = protocols;
    this.#baseUrl = find(island, '[data-base-url]');
    this.#apiKey = island.querySelector('[data-key]');
    for (const field of [this.#baseUrl, this.#apiKey]) {
      field?.addEventListener('input', () => {
        this.isEdited = true;
        this.#reflect();
        changed();
        this.#visit((storage, name) => storage.setItem(name, this.#baseUrl.value));
      });
    }
    this.#visit((storage, name) => this.take(storage.getItem(name) ?? undefined));
    this.isEdited = this.#baseUrl.value !== this.#baseUrl.defaultValue;
    this.#reflect();
  }

  get baseUrl(): string {
    return this.#baseUrl.value.trim().replace(/\/+$/, '');
  }

  /** The connection for a call, to the origin on display. Throws an `AddressError` if it cannot be called. */
  choose(): Connection {
    this.#reflect();
    const baseUrl = readBaseUrl(this.#baseUrl.value, this.#protocols);
    return { baseUrl, apiKey: this.#apiKey?.value.trim() ?? '' };
  }

  /** Takes the address of a server that was started beside this page; one that was typed meanwhile stays. */
  take(address: string | undefined): void {
    if (address !== undefined && !this.isEdited) this.#baseUrl.value = address;
    this.#reflect();
  }

  /** Opens the fields and puts the cursor where the mistake is. */
  show(field: 'baseUrl' | 'apiKey' | 'path'): void {
    const path = field === 'path' ? this.#island.querySelector<HTMLElement>('[data-path]') : undefined;
    const input = path ?? (field === 'apiKey' ? this.#apiKey : undefined) ?? this.#baseUrl;
    const folded = input.closest('details');
    if (folded) folded.open = true;
    input.focus();
  }

  /** The address, and nothing else, holds for the visit: on the next page it need not be typed again. */
  #visit(act: (storage: Storage, name: string) => void): void {
    try {
      act(sessionStorage, `address ${this.#protocols ?? ''}`);
    } catch {
      // Without storage, each page begins anew.
    }
  }

  #reflect(): void {
    const origin = originOf(this.#baseUrl.value, this.#protocols);
    this.#baseUrl.setAttribute('aria-invalid', String(origin === undefined));
    for (const place of this.#island.querySelectorAll('[data-where]'))
      place.textContent = origin ?? 'nowhere: this is not an address';
  }
}
