import { Evidence } from './evidence.ts';
import { find } from './find.ts';
import type { Speaking } from './speaking.ts';
import { Stage } from './stage.ts';
import { Tape } from './tape.ts';

/** Told to listeners of `word-lit` on the element, each time another word is heard. */
export interface WordLit {
  /** Which of the words: its place in the timeline. */
  readonly index: number;
  readonly text: string;
  /** Seconds of the audio at which the timeline says the word begins and ends. */
  readonly start: number;
  readonly end: number;
  /** Seconds of the audio that were heard when it was lit. */
  readonly position: number;
}

/** Everything that moves while something is spoken: the text, the tape and the table of words. */
export class Display {
  readonly evidence: Evidence;
  readonly #stage: Stage;
  readonly #tape: Tape;
  readonly #lit: (word: WordLit) => void;
  #segments: unknown;
  #duration = 0;
  #index = -1;

  /** @param lit called each time another word is heard */
  constructor(root: HTMLElement, lit: (word: WordLit) => void) {
    this.evidence = new Evidence(find(root, '.evidence'));
    this.#stage = new Stage(find(root, '[data-words]'), find(root, '[data-paper]'));
    this.#tape = new Tape(find(root, '[data-tape]'), find(root, '[data-clock]'));
    this.#lit = lit;
  }

  /** Forgets what was spoken, and shows a text that is about to be. */
  begin(text: string): void {
    this.#segments = undefined;
    this.#duration = 0;
    this.#index = -1;
    this.#stage.show(text);
    this.#tape.clear();
    this.evidence.place([]);
  }

  /** Draws what is heard now, once a frame for as long as `active` says so. */
  follow(speaking: Speaking, active: () => boolean): void {
    const frame = () => {
      if (!active()) return;
      this.draw(speaking);
      this.#light(speaking, speaking.timeline.indexAt(speaking.position));
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  /** Draws how far it is, and the words anew where they changed. */
  draw(speaking: Speaking): void {
    const { timeline, position, receivedSeconds } = speaking;
    const { segments } = timeline;
    const total = Math.max(timeline.duration, receivedSeconds, position);
    const changed = segments !== this.#segments;
    if (changed) {
      this.#stage.place(segments);
      this.evidence.place(segments);
    }
    if (changed || Math.abs(total - this.#duration) > 0.01) this.#tape.place(segments, total);
    this.#segments = segments;
    this.#duration = total;
    this.#tape.progress({ heard: position, received: receivedSeconds, total });
  }

  /** Puts the lamp out. */
  darken(): void {
    this.#index = -1;
    this.#stage.light(-1);
    this.#tape.light(-1);
    this.evidence.light(-1);
  }

  #light(speaking: Speaking, index: number): void {
    if (index === this.#index) return;
    this.#index = index;
    this.#stage.light(index);
    this.#tape.light(index);
    this.evidence.light(index);
    const segment = speaking.timeline.segments[index];
    if (!segment) return;
    const { text, start, end } = segment;
    this.#lit({ index, text, start, end, position: speaking.position });
  }
}
