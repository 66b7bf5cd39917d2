import { locateWords } from './locate-words.ts';

/**
 * The text as it is heard: the same words in the same place as in the field above which it lies, each in an element
 * of its own so that it can be lit.
 */
export class Stage {
  readonly #root: HTMLElement;
  readonly #scroller: HTMLElement | undefined;
  #text = '';
  #spoken = '';
  #words: (HTMLElement | undefined)[] = [];
  #lit: HTMLElement | undefined;
  #litIndex = -1;

  /**
   * @param seek called with the index of the word that was clicked
   * @param scroller the element that scrolls when the text is longer than its room
   */
  constructor(root: HTMLElement, seek: (index: number) => void, scroller?: HTMLElement) {
    this.#root = root;
    this.#scroller = scroller;
    root.addEventListener('click', (event) => {
      const index = this.#words.findIndex((word) => word !== undefined && word === event.target);
      if (index >= 0) seek(index);
    });
  }

  /**
   * Shows a text with no words in it yet.
   *
   * @param spoken the same text with blanks for what nobody says, such as the names in a script
   */
  show(text: string, spoken = text): void {
    this.#text = text;
    this.#spoken = spoken;
    this.#lit = undefined;
    this.#litIndex = -1;
    this.place([]);
  }

  /** Gives every segment its element; keeps what is lit. */
  place(segments: readonly { text: string }[]): void {
    const pieces: (string | HTMLElement)[] = [];
    let position = 0;
    let known: { start: number; end: number; element: HTMLElement } | undefined;
    this.#words = locateWords(this.#spoken, segments).map((range) => {
      if (range === undefined) return undefined;
      const { start, end } = range;
      // Several words may be said of one: "five" and "dollars" of "$5".
      if (known?.start === start && known.end === end) return known.element;
      if (start < position) return undefined;
      const element = document.createElement('span');
      element.textContent = this.#text.slice(start, end);
      pieces.push(this.#text.slice(position, start), element);
      position = end;
      known = { start, end, element };
      return element;
    });
    // The line break keeps the last line open, as the field does.
    this.#root.replaceChildren(...pieces, `${this.#text.slice(position)}\n`);
    this.light(this.#litIndex);
  }

  /** Lights the segment with this index, and it alone; -1 is a pause: what was heard last stays marked as heard. */
  light(index: number): void {
    this.#litIndex = index;
    const next = this.#words[index];
    if (this.#lit !== next) this.#lit?.removeAttribute('data-lit');
    this.#lit = next;
    if (index < 0) return;
    this.#words.forEach((word, place) => {
      // A later word is marked as heard only if the reader has gone back.
      if (word !== undefined && word !== next) word.toggleAttribute('data-heard', place <= index);
    });
    if (next === undefined) return;
    next.dataset.heard = '';
    next.dataset.lit = '';
    this.#follow(next);
  }

  #follow(word: HTMLElement): void {
    const scroller = this.#scroller;
    if (scroller === undefined || scroller.scrollHeight <= scroller.clientHeight) return;
    const room = scroller.clientHeight;
    const top = word.offsetTop - scroller.scrollTop;
    if (top < room * 0.15 || top > room * 0.7) scroller.scrollTop = word.offsetTop - room * 0.35;
  }
}
