import type { SpeechEvent } from '@speech-api/streaming';
import { find } from '../page/find.ts';
import { highlightCode } from './highlight-code.ts';
import { writePayload } from './write-payload.ts';

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
