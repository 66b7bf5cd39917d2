import type { TimelineSegment } from '@speech-api/streaming';
import { find } from './find.ts';
import { highlightCode } from './highlight-code.ts';
import { type RecordedRequest, writeRequest } from './recorded-request.ts';
import type { PlaygroundSettings } from './settings.ts';
import { connectTabs } from './tabs.ts';
import { writeCurl } from './write-curl.ts';
import { writeTypescript } from './write-typescript.ts';

/** The request, the code for it and the words that came back, beside the form. */
export class Evidence {
  readonly #root: HTMLElement;
  readonly #rows: HTMLElement;
  #lit = -1;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#rows = find(root, '[data-word-rows]');
    connectTabs(find(root, '[role="tablist"]'));
    const copy = find<HTMLButtonElement>(root, '[data-copy]');
    copy.addEventListener('click', () => void this.#copy(copy));
  }

  /** Shows a request and the code for it. */
  show(settings: PlaygroundSettings, request: RecordedRequest | undefined, note: string): void {
    this.#code('typescript', writeTypescript(settings));
    this.#code('curl', request ? writeCurl(request, settings.apiKey) : '');
    this.#code('request', request ? writeRequest(request) : '');
    find(this.#root, '[data-note]').textContent = note;
  }

  /** Lists the words and when each is spoken. */
  place(segments: readonly TimelineSegment[]): void {
    this.#rows.replaceChildren(
      ...segments.map((segment) => {
        const row = document.createElement('tr');
        row.append(cell(segment.text), cell(segment.start.toFixed(2)), cell(segment.end.toFixed(2)));
        return row;
      }),
    );
    this.light(this.#lit);
  }

  light(index: number): void {
    this.#rows.children[this.#lit]?.removeAttribute('data-lit');
    this.#lit = index;
    this.#rows.children[index]?.setAttribute('data-lit', '');
  }

  #code(name: string, code: string): void {
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

function cell(text: string): HTMLTableCellElement {
  const element = document.createElement('td');
  element.textContent = text;
  return element;
}
