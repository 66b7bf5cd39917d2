import type { SpeechEvent } from '@speech-api/streaming';
import { connectTabs, find } from '../page/page.ts';
import { highlightCode } from './highlight.ts';
import { keyVariable, writeCurl, writePayload } from './write-code.ts';

/** What an island does, or did: its code, and the request where there is one. */
export interface Shown {
  readonly typescript: string;
  readonly request: RecordedRequest | undefined;
  readonly apiKey: string;
  readonly note: string;
}

/** The code, the command and the request, in tabs beside the form. */
export class Evidence {
  readonly #root: HTMLElement;

  constructor(island: HTMLElement) {
    this.#root = find(island, '.evidence');
    connectTabs(find(this.#root, '[role="tablist"]'));
    const copy = find<HTMLButtonElement>(this.#root, '[data-copy]');
    copy.addEventListener('click', () => void this.#copy(copy));
  }

  /** Shows a request and the code for it. */
  show({ typescript, request, apiKey, note }: Shown): void {
    this.write('typescript', typescript);
    this.write('curl', request ? writeCurl(request, apiKey) : '');
    this.write('request', request ? writeRequest(request) : '');
    find(this.#root, '[data-note]').textContent = note;
  }

  /** Fills one of the tabs with code. */
  write(name: string, code: string): void {
    find(this.#root, `[data-code="${name}"]`).replaceChildren(highlightCode(code));
  }

  async #copy(button: HTMLButtonElement): Promise<void> {
    const panel = find(this.#root, '[role="tabpanel"]:not([hidden])');
    try {
      await navigator.clipboard.writeText(panel.textContent.trim());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  }
}

type WireEvent = Extract<SpeechEvent, { type: 'audio-chunk' }>['wire'];

/** More rows than anybody reads; a long text goes on without them. */
const mostRows = 400;

/** The events of a stream as they came: a line each, and the payload for whoever opens it. */
export class EventLog {
  readonly #list: HTMLElement;
  readonly #more: HTMLElement;
  #count = 0;

  constructor(island: HTMLElement) {
    this.#list = find(island, '[data-events]');
    this.#more = find(island, '[data-more-events]');
  }

  clear(): void {
    this.#count = 0;
    this.#list.replaceChildren();
    this.#more.textContent = 'Nothing has arrived yet.';
  }

  /** @param read gives the payload; called when the row is opened */
  add(bytes: number, read: () => WireEvent): void {
    this.#count += 1;
    if (this.#count > mostRows) {
      this.#more.textContent = `${this.#count - mostRows} further events are not listed.`;
      return;
    }
    this.#more.textContent = '';
    const row = document.createElement('li');
    const details = document.createElement('details');
    const summary = document.createElement('summary');
    summary.append(
      piece('event-number', `#${this.#count}`),
      piece('event-bytes', `${bytes.toLocaleString('en')} B`),
      piece('event-what', describe(read())),
    );
    details.append(summary);
    details.addEventListener('toggle', () => {
      if (!details.open || details.childElementCount > 1) return;
      const payload = document.createElement('pre');
      payload.append(highlightCode(writePayload(read())));
      details.append(payload);
    });
    row.append(details);
    this.#list.append(row);
  }
}

function describe({ chunk_seq, alignment }: WireEvent): string {
  if (alignment === null) return `chunk ${chunk_seq}, no alignment`;
  const { length } = alignment.segments;
  return `chunk ${chunk_seq}, ${length} ${length === 1 ? 'segment' : 'segments'}`;
}

function piece(name: string, text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = name;
  element.textContent = text;
  return element;
}

/** A part of a form: a value, or a file that is described and not shown. */
export interface RecordedPart {
  readonly name: string;
  readonly value: string | { readonly fileName: string; readonly type: string; readonly bytes: number };
}

/** A request as it left the page. The key is not in it. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  /** Header names in lower case, in the order of sending; the authorization shows its scheme alone. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Text, or the parts of a form. */
  readonly body: string | readonly RecordedPart[];
}

type Fetch = (input: Request | string, init?: RequestInit) => Promise<Response>;

/** Wraps `fetch` so that each request is shown to `record` before it is sent. */
export function recordingFetch(send: Fetch, record: (request: RecordedRequest) => void): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    // A form is described by itself: reading it back from a copy of the request would hold the file twice.
    record(await describeRequest(request, init?.body instanceof FormData ? init.body : undefined));
    return send(request);
  };
}

async function describeRequest(request: Request, form: FormData | undefined): Promise<RecordedRequest> {
  const type = request.headers.get('content-type') ?? '';
  const isForm = form !== undefined || type.startsWith('multipart/form-data');
  return {
    method: request.method,
    url: request.url,
    headers: [...request.headers].map(([name, value]) => [
      name,
      name === 'authorization' ? value.replace(/\S+$/, keyVariable) : value,
    ]),
    body: isForm ? partsOf(form ?? (await request.clone().formData())) : await request.clone().text(),
  };
}

function partsOf(form: FormData): RecordedPart[] {
  return [...form].map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : { fileName: value.name, type: value.type, bytes: value.size },
  }));
}

/** The request as text, the way it is written on the wire. */
export function writeRequest(request: RecordedRequest): string {
  const url = new URL(request.url);
  const head = [
    `${request.method} ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const { body } = request;
  return `${head.join('\n')}\n\n${typeof body === 'string' ? prettyJson(body) : body.map(writePart).join('\n\n')}`;
}

function writePart({ name, value }: RecordedPart): string {
  if (typeof value === 'string') return `[${name}]\n${value}`;
  return `[${name}; filename="${value.fileName}"; ${value.type}]\n(${value.bytes} bytes)`;
}

function prettyJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
