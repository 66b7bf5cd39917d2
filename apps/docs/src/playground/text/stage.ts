import { locateWords, type TextRange } from './locate-words.ts';

/**
 * The text as it is heard: the same words in the same place as in the field above which it lies, each in an element
 * of its own so that it can be lit.
 */
export class Stage {
  readonly #root: HTMLElement;
  readonly #scroller: HTMLElement;
  #text = '';
  #words: (HTMLElement | undefined)[] = [];
  #lit: HTMLElement | undefined;
  #litIndex = -1;

  /** @param scroller the element that scrolls when the text is longer than its room */
  constructor(root: HTMLElement, scroller: HTMLElement) {
    this.#root = root;
    this.#scroller = scroller;
  }

  /** Shows a text with no words in it yet. */
  show(text: string): void {
    this.#text = text;
    this.#words = [];
    this.#lit = undefined;
    this.#litIndex = -1;
    // The line break keeps the last line open, as the field does.
    this.#root.replaceChildren(`${text}\n`);
  }

  /** Gives every segment its element; keeps what is lit. */
  place(segments: readonly { text: string }[]): void {
    const ranges = locateWords(this.#text, segments);
    const pieces: (string | HTMLElement)[] = [];
    const elements = new Map<string, HTMLElement>();
    let position = 0;
    this.#words = ranges.map((range) => {
      if (range === undefined) return undefined;
      const key = `${range.start}-${range.end}`;
      const known = elements.get(key);
      if (known) return known;
      if (range.start < position) return undefined;
      const element = this.#makeWord(range);
      pieces.push(this.#text.slice(position, range.start), element);
      position = range.end;
      elements.set(key, element);
      return element;
    });
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
    for (let heard = index; heard >= 0; heard -= 1) {
      const word = this.#words[heard];
      if (word?.dataset.heard !== undefined && heard < index) break;
      if (word) word.dataset.heard = '';
    }
    if (next === undefined) return;
    next.dataset.lit = '';
    this.#follow(next);
  }

  #makeWord(range: TextRange): HTMLElement {
    const word = document.createElement('span');
    word.textContent = this.#text.slice(range.start, range.end);
    return word;
  }

  #follow(word: HTMLElement): void {
    const room = this.#scroller.clientHeight;
    if (this.#scroller.scrollHeight <= room) return;
    const top = word.offsetTop - this.#scroller.scrollTop;
    if (top < room * 0.15 || top > room * 0.7) this.#scroller.scrollTop = word.offsetTop - room * 0.35;
  }
}
