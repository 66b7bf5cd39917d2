import { find } from '../page/find.ts';
import { connectTabs } from '../page/tabs.ts';
import { highlightCode } from './highlight-code.ts';
import { type RecordedRequest, writeRequest } from './recorded-request.ts';
import { writeCurl } from './write-curl.ts';

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
