import type { TimelineSegment } from '@speech-api/streaming';
import { find } from './find.ts';

/** The words along the time, what has arrived and what has been heard. */
export class Tape {
  readonly #words: HTMLElement;
  readonly #received: HTMLElement;
  readonly #heard: HTMLElement;
  readonly #clock: HTMLElement;
  #blocks: HTMLElement[] = [];
  #lit = -1;

  constructor(root: HTMLElement, clock: HTMLElement) {
    this.#words = find(root, '[data-tape-words]');
    this.#received = find(root, '[data-tape-received]');
    this.#heard = find(root, '[data-tape-heard]');
    this.#clock = clock;
  }

  clear(): void {
    this.#blocks = [];
    this.#lit = -1;
    this.#words.replaceChildren();
    this.progress({ heard: 0, received: 0, total: 0 });
  }

  /** Draws one block a segment, as wide as it lasts. */
  place(segments: readonly TimelineSegment[], total: number): void {
    this.#blocks = segments.map((segment) => {
      const block = document.createElement('i');
      block.style.setProperty('--from', String(total > 0 ? segment.start / total : 0));
      block.style.setProperty('--to', String(total > 0 ? segment.end / total : 0));
      return block;
    });
    this.#words.replaceChildren(...this.#blocks);
    this.light(this.#lit);
  }

  light(index: number): void {
    this.#blocks[this.#lit]?.removeAttribute('data-lit');
    this.#lit = index;
    const block = this.#blocks[index];
    if (block) block.dataset.lit = '';
  }

  progress({ heard, received, total }: { heard: number; received: number; total: number }): void {
    const share = (seconds: number) => String(total > 0 ? Math.min(seconds / total, 1) : 0);
    this.#heard.style.setProperty('--share', share(heard));
    this.#received.style.setProperty('--share', share(received));
    this.#clock.textContent = `${heard.toFixed(1)} / ${total.toFixed(1)} s`;
  }
}
