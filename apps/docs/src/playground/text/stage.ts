import { locateWords, type TextRange } from './locate-words.ts';

/** A text on the page, and the element above its field in which its words are shown. */
export interface StagePage {
  readonly text: string;
  readonly root: HTMLElement;
}

interface PlacedPage extends StagePage {
  /** Where its text begins in the texts of all pages, joined. */
  readonly start: number;
}

/** Between two pages; no letter, so that no word lies across it. */
const separator = '\n';

/**
 * The text as it is heard: the same words in the same place as in the field above which it lies, each in an element
 * of its own so that it can be lit. A dialogue has several pages, one per line.
 */
export class Stage {
  readonly #scroller: HTMLElement | undefined;
  #pages: readonly PlacedPage[] = [];
  #words: (HTMLElement | undefined)[] = [];
  #pageOf: (number | undefined)[] = [];
  #lit: HTMLElement | undefined;
  #litIndex = -1;

  /**
   * @param seek called with the index of the word that was clicked
   * @param scroller the element that scrolls when the text is longer than its room
   */
  constructor(root: HTMLElement, seek: (index: number) => void, scroller?: HTMLElement) {
    this.#scroller = scroller;
    root.addEventListener('click', (event) => {
      const index = this.#words.findIndex((word) => word !== undefined && word === event.target);
      if (index >= 0) seek(index);
    });
  }

  /** Shows texts with no words in them yet. */
  show(pages: readonly StagePage[]): void {
    for (const { root } of this.#pages) root.replaceChildren();
    let start = 0;
    this.#pages = pages.map((page) => {
      const placed = { ...page, start };
      start += page.text.length + separator.length;
      return placed;
    });
    this.#words = [];
    this.#pageOf = [];
    this.#lit = undefined;
    this.#litIndex = -1;
    // The line break keeps the last line open, as the field does.
    for (const { root, text } of this.#pages) root.replaceChildren(`${text}\n`);
  }

  /** Gives every segment its element; keeps what is lit. */
  place(segments: readonly { text: string }[]): void {
    const ranges = locateWords(this.#pages.map(({ text }) => text).join(separator), segments);
    this.#words = ranges.map(() => undefined);
    this.#pageOf = ranges.map((range) => (range === undefined ? undefined : this.#pageAt(range.start)));
    this.#pages.forEach((page, index) => {
      this.#placeOn(page, index, ranges);
    });
    this.light(this.#litIndex);
  }

  /** The page of a segment: the one where it was found, or else that of the segment before it. */
  pageOf(index: number): number {
    for (let before = index; before >= 0; before -= 1) {
      const page = this.#pageOf[before];
      if (page !== undefined) return page;
    }
    return 0;
  }

  /** Lights the segment with this index, and it alone; -1 is a pause: what was heard last stays marked as heard. */
  light(index: number): void {
    this.#litIndex = index;
    const next = this.#words[index];
    if (this.#lit !== next) this.#lit?.removeAttribute('data-lit');
    this.#lit = next;
    if (index < 0) return;
    this.#words.forEach((word, place) => {
      // What comes later was heard before only if somebody went back.
      if (word !== undefined && word !== next) word.toggleAttribute('data-heard', place <= index);
    });
    if (next === undefined) return;
    next.dataset.heard = '';
    next.dataset.lit = '';
    this.#follow(next);
  }

  #pageAt(position: number): number {
    return this.#pages.findLastIndex(({ start }) => start <= position);
  }

  #placeOn(page: PlacedPage, pageIndex: number, ranges: readonly (TextRange | undefined)[]): void {
    const pieces: (string | HTMLElement)[] = [];
    let known: { end: number; start: number; element: HTMLElement } | undefined;
    let position = 0;
    ranges.forEach((range, index) => {
      if (range === undefined || this.#pageOf[index] !== pageIndex) return;
      const start = range.start - page.start;
      const end = Math.min(range.end - page.start, page.text.length);
      if (known?.start === start && known.end === end) {
        this.#words[index] = known.element;
        return;
      }
      if (start < position) return;
      const element = document.createElement('span');
      element.textContent = page.text.slice(start, end);
      pieces.push(page.text.slice(position, start), element);
      position = end;
      known = { start, end, element };
      this.#words[index] = element;
    });
    page.root.replaceChildren(...pieces, `${page.text.slice(position)}\n`);
  }

  #follow(word: HTMLElement): void {
    const scroller = this.#scroller;
    if (scroller === undefined || scroller.scrollHeight <= scroller.clientHeight) return;
    const room = scroller.clientHeight;
    const top = word.offsetTop - scroller.scrollTop;
    if (top < room * 0.15 || top > room * 0.7) scroller.scrollTop = word.offsetTop - room * 0.35;
  }
}
