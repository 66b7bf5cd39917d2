import { find } from '../page/page.ts';
import { AddressError, originOf, readBaseUrl } from './address.ts';

/** Base URL and key of a call. The key is stored only here and in its field. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The public key of the sandbox. It is not a secret. */
export const sandboxKey = 'sandbox-key';

/** Default addresses of the sandbox and the relay. */
export const defaultSandboxUrl = 'http://127.0.0.1:4010';
export const defaultRelayUrl = 'ws://127.0.0.1:4030';

/** The servers that were started beside this page; undefined where none were. */
export interface Servers {
  readonly baseUrl: string | undefined;
  readonly relayUrl: string | undefined;
}

/**
 * Asks the server of this page where its sandbox and its relay are. `npm start` answers, because they move to another
 * port if one is in use. The file that a plain host has there names none.
 */
export async function findServers(base: string): Promise<Servers> {
  const response = await fetch(`${base}sandbox.json`, { cache: 'no-store' }).catch(() => undefined);
  const answer: unknown = response?.ok ? await response.json().catch(() => null) : null;
  const { baseUrl, relayUrl } = (answer ?? {}) as Partial<Record<keyof Servers, unknown>>;
  return { baseUrl: addressIn(baseUrl), relayUrl: addressIn(relayUrl) };
}

function addressIn(value: unknown): string | undefined {
  return typeof value === 'string' && URL.canParse(value) ? value : undefined;
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
  #isEdited = false;
  /** The address before anybody edited it. */
  #found: string;
  /** The origin that the page shows next to its button. */
  #shown: string | undefined;

  /** @param changed called with each change; nothing is sent for it before a button or a list is pressed */
  constructor(island: HTMLElement, changed = () => {}, protocols?: readonly string[]) {
    this.#island = island;
    this.#protocols = protocols;
    this.#baseUrl = find(island, '[data-base-url]');
    this.#apiKey = island.querySelector('[data-key]');
    this.#found = this.#baseUrl.defaultValue;
    for (const field of [this.#baseUrl, this.#apiKey]) {
      field?.addEventListener('input', () => {
        this.#isEdited = true;
        this.#reflect();
        changed();
      });
    }
    this.#reflect();
  }

  get isEdited(): boolean {
    return this.#isEdited;
  }

  /** The fields as they are, for showing code; {@link choose} is for sending. */
  read(): Connection {
    return {
      baseUrl: this.#baseUrl.value.trim().replace(/\/+$/, ''),
      apiKey: this.#apiKey?.value.trim() ?? '',
    };
  }

  /** The connection for a call, to the origin on display only. Throws an {@link AddressError} otherwise. */
  choose(): Connection {
    const shown = this.#shown;
    this.#reflect();
    const baseUrl = readBaseUrl(this.#baseUrl.value, this.#protocols);
    if (new URL(baseUrl).origin !== shown)
      throw new AddressError(
        'baseUrl',
        `The address has changed from ${shown ?? 'none'} to ${baseUrl} unseen.`,
      );
    return { ...this.read(), baseUrl };
  }

  /** Takes the address of a server that was started beside this page; one that was typed meanwhile stays. */
  take(found: string | undefined): void {
    this.#found = found ?? this.#found;
    if (!this.#isEdited) this.#baseUrl.value = this.#found;
    this.#reflect();
  }

  /** Opens the fields and puts the cursor where the mistake is. */
  show(field: 'baseUrl' | 'apiKey' | 'path'): void {
    const input = field === 'path' ? this.#island.querySelector<HTMLElement>('[data-path]') : undefined;
    const shown = input ?? (field === 'apiKey' ? this.#apiKey : undefined) ?? this.#baseUrl;
    const folded = shown.closest('details');
    if (folded) folded.open = true;
    shown.focus();
  }

  #reflect(): void {
    this.#shown = originOf(this.#baseUrl.value, this.#protocols);
    this.#baseUrl.setAttribute('aria-invalid', String(this.#shown === undefined));
    for (const place of this.#island.querySelectorAll('[data-where]'))
      place.textContent = this.#shown ?? 'nowhere: this is not an address';
  }
}
