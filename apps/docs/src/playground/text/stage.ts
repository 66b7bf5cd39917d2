import { locateWords } from './locate-words.ts';

/** A text as it is heard: each of its words in an element of its own, so that it can be lit. */
export class Stage {
  readonly #root: HTMLElement;
  readonly #scroller: HTMLElement;
  #text = '';
  #segments: readonly { readonly text: string }[] = [];
  #words: (HTMLElement | undefined)[] = [];
  #litIndex = -1;

  /**
   * @param seek called with the index of the word that was clicked
   * @param scroller the element that scrolls when the text is longer than its room
   */
  constructor(root: HTMLElement, seek = (_index: number): void => {}, scroller = root) {
    this.#root = root;
    this.#scroller = scroller;
    root.addEventListener('click', (event) => {
      const index = this.#words.findIndex((word) => word !== undefined && word === event.target);
      if (index >= 0) seek(index);
    });
  }

  /** Shows a text with no words in it yet. */
  show(text: string): void {
    this.#text = text;
    this.#litIndex = -1;
    this.#place([]);
  }

  /** Shows the words that are known by now, and lights the one with this index. */
  draw(segments: readonly { readonly text: string }[], index: number): void {
    if (segments !== this.#segments) {
      this.#place(segments);
      this.light(this.#litIndex);
    }
    if (index !== this.#litIndex) this.light(index);
  }

  /** Gives every segment its element. */
  #place(segments: readonly { readonly text: string }[]): void {
    this.#segments = segments;
    const pieces: (string | HTMLElement)[] = [];
    let position = 0;
    let previous: { start: number; end: number; element: HTMLElement } | undefined;
    this.#words = locateWords(this.#text, segments).map((range) => {
      if (range === undefined) return undefined;
      const { start, end } = range;
      // Several words may be said of one: "five" and "dollars" of "$5".
      if (previous?.start === start && previous.end === end) return previous.element;
      if (start < position) return undefined;
      const element = document.createElement('span');
      element.textContent = this.#text.slice(start, end);
      pieces.push(this.#text.slice(position, start), element);
      position = end;
      previous = { start, end, element };
      return element;
    });
    // The line break keeps the last line open, as the field does.
    this.#root.replaceChildren(...pieces, `${this.#text.slice(position)}\n`);
  }

  /** Lights the segment with this index, and it alone; -1 is a pause: what was heard last stays marked as heard. */
  light(index: number): void {
    this.#words[this.#litIndex]?.removeAttribute('data-lit');
    this.#litIndex = index;
    if (index < 0) return;
    const lit = this.#words[index];
    this.#words.forEach((word, place) => {
      // A later word is marked as heard only if the reader has gone back.
      if (word !== lit) word?.toggleAttribute('data-heard', place <= index);
    });
    if (lit === undefined) return;
    lit.dataset.heard = '';
    lit.dataset.lit = '';
    this.#follow(lit);
  }

  #follow(word: HTMLElement): void {
    const scroller = this.#scroller;
    if (scroller.scrollHeight <= scroller.clientHeight) return;
    const room = scroller.clientHeight;
    const top = word.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    if (top < room * 0.15 || top > room * 0.7) scroller.scrollTop += top - room * 0.35;
  }
}
