import type { TimelineSegment } from '@speech-api/streaming';
import { find } from '../page/find.ts';

/** The words and when each is spoken; each word is a button that goes on from it. */
export class WordTable {
  readonly #rows: HTMLElement;
  #segments: readonly TimelineSegment[] = [];
  #lit = -1;

  constructor(island: HTMLElement, seek: (seconds: number) => void) {
    this.#rows = find(island, '[data-word-rows]');
    this.#rows.addEventListener('click', (event) => {
      const row = event.target instanceof Element ? event.target.closest('tr') : null;
      const segment = row && this.#segments[[...this.#rows.children].indexOf(row)];
      if (segment) seek(segment.start);
    });
  }

  /** Lists the words. Rows that stay as they are keep the focus. */
  place(segments: readonly TimelineSegment[]): void {
    this.#segments = segments;
    while (this.#rows.children.length > segments.length) this.#rows.lastElementChild?.remove();
    segments.forEach((segment, index) => {
      const row = this.#rows.children[index] ?? this.#rows.appendChild(emptyRow());
      const texts = [segment.text, segment.start.toFixed(2), segment.end.toFixed(2)];
      [row.querySelector('button'), row.children[1], row.children[2]].forEach((cell, column) => {
        const text = texts[column] ?? '';
        if (cell && cell.textContent !== text) cell.textContent = text;
      });
    });
    this.light(this.#lit);
  }

  light(index: number): void {
    this.#rows.children[this.#lit]?.removeAttribute('data-lit');
    this.#lit = index;
    this.#rows.children[index]?.setAttribute('data-lit', '');
  }
}

function emptyRow(): HTMLTableRowElement {
  const row = document.createElement('tr');
  const button = document.createElement('button');
  button.type = 'button';
  button.title = 'Hear it from here';
  row.insertCell().append(button);
  row.insertCell();
  row.insertCell();
  return row;
}
