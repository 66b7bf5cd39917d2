import { createSpeechClient, type SpeechClient } from '@speech-api/client';
import { type RecordedRequest, recordingFetch } from '../evidence/evidence.ts';
import { find } from '../page/page.ts';

/** Where calls go and whose they are. The key lives here and in its field, nowhere else. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Where the sandbox and the relay listen by default. */
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

/** Whether an address is on this machine. */
export function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}

/**
 * The project's own client for what the reader chose; each request is shown to `record` before it is sent, and
 * `answered` is called when its answer begins.
 */
export function openClient(
  connection: Connection,
  record?: (request: RecordedRequest) => void,
  answered?: () => void,
): SpeechClient {
  const send = async (input: Request | string, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    answered?.();
    return response;
  };
  return createSpeechClient({
    ...connection,
    allowBrowserKey: true,
    retry: { retries: 0 },
    fetch: record === undefined ? send : recordingFetch(send, record),
  });
}

/** Lets the client write a request and stops it at the door: what is shown before is what will be sent. */
export async function previewCall(
  connection: Connection,
  call: (client: SpeechClient) => Promise<unknown>,
): Promise<RecordedRequest | undefined> {
  let preview: RecordedRequest | undefined;
  const notSent = () => Promise.reject(new TypeError('a preview is not sent'));
  try {
    const client = createSpeechClient({
      ...connection,
      allowBrowserKey: true,
      trace: false,
      fetch: recordingFetch(notSent, (request) => {
        preview = request;
      }),
    });
    await call(client);
  } catch {
    // Settings that cannot work have no request; the call itself explains why.
  }
  return preview;
}

/** The two fields of the connection. Neither has a name, so no form can ever put the key into an address. */
export class ConnectionFields {
  readonly #root: HTMLElement;
  readonly #baseUrl: HTMLInputElement;
  readonly #apiKey: HTMLInputElement;
  #isEdited = false;

  /** @param changed called with each change, and whether the field was left with it */
  constructor(island: HTMLElement, changed: (isFinished: boolean) => void) {
    this.#root = find(island, '[data-connection]');
    this.#baseUrl = find(this.#root, '[data-base-url]');
    this.#apiKey = find(this.#root, '[data-key]');
    this.#root.addEventListener('input', () => {
      this.#isEdited = true;
      this.#reflect();
      changed(false);
    });
    this.#root.addEventListener('change', () => changed(true));
  }

  /** Whether the reader named a server or a key. */
  get isEdited(): boolean {
    return this.#isEdited;
  }

  read(): Connection {
    return {
      baseUrl: this.#baseUrl.value.trim().replace(/\/+$/, ''),
      apiKey: this.#apiKey.value.trim(),
    };
  }

  /** Takes the address of the sandbox that was started beside this page. @returns whether there is one */
  async takeSandbox(base: string): Promise<boolean> {
    const before = this.#baseUrl.value;
    const { baseUrl } = await findServers(base);
    // Whoever has typed an address meanwhile keeps it.
    if (this.#baseUrl.value === before) this.#baseUrl.value = baseUrl ?? defaultSandboxUrl;
    this.#reflect();
    return baseUrl !== undefined;
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
