import type { SpeechEvent } from '@speech-api/streaming';
import { find } from '../page/page.ts';
import { highlightCode } from './highlight.ts';
import { type PreviewedRequest, writeCurl, writePayload } from './write-code.ts';

/** The code and the command, in tabs beside the form. */
export class Evidence {
  readonly #root: HTMLElement;

  constructor(island: HTMLElement) {
    this.#root = find(island, '.evidence');
    connectTabs(find(this.#root, '[role="tablist"]'));
    const copy = find<HTMLButtonElement>(this.#root, '[data-copy]');
    copy.addEventListener('click', () => void this.#copy(copy));
  }

  /** Shows the code of the island's action, and the request that it sends. */
  show(typescript: string, request: PreviewedRequest | undefined, apiKey: string): void {
    this.write('typescript', typescript);
    this.write('curl', request ? writeCurl(request, apiKey) : '');
  }

  /** Fills one of the tabs with code. */
  write(name: string, code: string): void {
    find(this.#root, `[data-code="${name}"]`).replaceChildren(highlightCode(code));
  }

  async #copy(button: HTMLButtonElement): Promise<void> {
    const panel = find(this.#root, '[role="tabpanel"]:not([hidden])');
    button.textContent = await navigator.clipboard.writeText(panel.textContent.trim()).then(
      () => 'Copied',
      () => 'Not allowed',
    );
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  }
}

/** Makes a tab list work as keyboards expect it: arrows move, one tab alone is in the tab order. */
function connectTabs(list: HTMLElement): void {
  const tabs = [...list.querySelectorAll<HTMLElement>('[role="tab"]')];
  const select = (chosen: HTMLElement | undefined): void => {
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      find(document, `#${tab.getAttribute('aria-controls')}`).hidden = tab !== chosen;
    }
    chosen?.focus();
  };
  for (const tab of tabs) tab.addEventListener('click', () => select(tab));
  list.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    const current = tabs.findIndex(({ tabIndex }) => tabIndex === 0);
    if (step !== undefined) select(tabs.at((current + step) % tabs.length));
  });
}

type WireEvent = Extract<SpeechEvent, { type: 'audio-chunk' }>['wire'];

/** More rows than anybody reads; a long text goes on without them. */
const maximumRows = 400;

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

  add(bytes: number, event: WireEvent): void {
    this.#count += 1;
    const rest = this.#count - maximumRows;
    this.#more.textContent = rest > 0 ? `${rest} further events are not listed.` : '';
    if (rest > 0) return;
    const details = document.createElement('details');
    const summary = document.createElement('summary');
    const pieces = {
      'event-number': `#${this.#count}`,
      'event-bytes': `${bytes.toLocaleString('en')} B`,
      'event-what': describe(event),
    };
    for (const [className, text] of Object.entries(pieces)) {
      const piece = document.createElement('span');
      piece.className = className;
      piece.textContent = text;
      summary.append(piece, ' ');
    }
    details.append(summary);
    details.addEventListener('toggle', () => {
      if (details.childElementCount > 1) return;
      const payload = document.createElement('pre');
      payload.append(highlightCode(writePayload(event)));
      details.append(payload);
    });
    const row = document.createElement('li');
    row.append(details);
    this.#list.append(row);
  }
}

function describe({ chunk_seq, alignment }: WireEvent): string {
  if (alignment === null) return `chunk ${chunk_seq}, no alignment`;
  const { length } = alignment.segments;
  return `chunk ${chunk_seq}, ${length} ${length === 1 ? 'segment' : 'segments'}`;
}
