import { find } from '../page/page.ts';
import { drawWaveform, Peaks } from './peaks.ts';

/** Something with a place in time. */
export interface TapeSegment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The drawing's own units; the browser stretches them to the room there is. */
const width = 1000;
const height = 100;
/** Columns of the drawing: this many a second, within these limits. */
const columnsASecond = 30;
const columns = { minimum: 400, maximum: 4800 };

const steps: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** The waveform with the words along it. It is a slider: a click or a key chooses a word to go on from. */
export class Tape {
  readonly #root: HTMLElement;
  readonly #words: HTMLElement;
  readonly #clock: HTMLElement;
  #peaks = new Peaks();
  #segments: readonly TapeSegment[] = [];
  #lit = -1;
  #heard = 0;
  #total = 0;
  #drawn = '';

  /** @param seek called with the second to go on from, the start of a word wherever there is one */
  constructor(island: HTMLElement, seek: (seconds: number) => void) {
    this.#root = find(island, '[data-tape]');
    this.#words = find(this.#root, '[data-tape-words]');
    this.#clock = find(island, '[data-clock]');
    this.#root.addEventListener('click', (event) => {
      const { left, width: room } = this.#words.getBoundingClientRect();
      const seconds = ((event.clientX - left) / room) * this.#total;
      const word = this.#segments.findLast(({ start, end }) => start <= seconds && seconds < end);
      if (this.#total > 0) seek(word?.start ?? seconds);
    });
    this.#root.addEventListener('keydown', (event) => {
      const step = steps[event.key];
      if (step === undefined || this.#segments.length === 0) return;
      event.preventDefault();
      const index = Math.max(0, Math.min(this.#current + step, this.#segments.length - 1));
      const seconds = this.#segments[index]?.start ?? 0;
      seek(seconds);
      this.tell(seconds);
    });
    this.#root.addEventListener('focus', () => this.tell());
  }

  clear(): void {
    this.#peaks = new Peaks();
    this.#lit = -1;
    this.place([], 0);
    this.#root.scrollLeft = 0;
    this.progress(0, 0);
    this.tell();
  }

  add(samples: Float32Array, sampleRate: number): void {
    this.#peaks.add(samples, sampleRate);
  }

  /** Draws one block a segment, as wide as it lasts. */
  place(segments: readonly TapeSegment[], total: number): void {
    this.#segments = segments;
    this.#words.replaceChildren(
      ...segments.map(({ text, start, end }) => {
        const block = document.createElement('i');
        block.style.setProperty('--from', String(start / total));
        block.style.setProperty('--to', String(end / total));
        block.textContent = text;
        return block;
      }),
    );
    this.light(this.#lit);
  }

  light(index: number): void {
    this.#words.children[this.#lit]?.removeAttribute('data-lit');
    this.#lit = index;
    this.#words.children[index]?.setAttribute('data-lit', '');
  }

  /** @param heard seconds that were heard, of the `total` that there are */
  progress(heard: number, total: number): void {
    this.#heard = heard;
    this.#total = total;
    const share = total > 0 ? Math.min(heard / total, 1) : 0;
    this.#root.style.setProperty('--share', String(share));
    this.#root.style.setProperty('--seconds', String(total));
    this.#root.toggleAttribute('data-empty', total === 0);
    this.#follow(share);
    this.#clock.textContent = `${heard.toFixed(1)} / ${total.toFixed(1)} s`;
    this.#drawWave(total);
  }

  /** Writes where it is for a screen reader. Not while it plays: each change of a focused slider is read out. */
  tell(heard = this.#heard): void {
    const total = this.#total;
    this.#root.setAttribute('aria-disabled', String(total === 0));
    this.#root.setAttribute('aria-valuemax', total.toFixed(2));
    this.#root.setAttribute('aria-valuenow', heard.toFixed(2));
    const word = this.#segments.findLast(({ start }) => start <= heard + 0.001);
    const place = `${heard.toFixed(1)} of ${total.toFixed(1)} seconds`;
    this.#root.setAttribute(
      'aria-valuetext',
      total === 0 ? 'Nothing to hear yet' : word === undefined ? place : `“${word.text}”, ${place}`,
    );
  }

  get #current(): number {
    return this.#segments.findLastIndex(({ start }) => start <= this.#heard + 0.001);
  }

  /** Keeps what is heard in sight, unless the reader points at another place. */
  #follow(share: number): void {
    if (this.#root.matches(':hover')) return;
    const room = this.#root.clientWidth;
    const place = share * this.#words.offsetWidth;
    const left = place - this.#root.scrollLeft;
    if (left < room * 0.1 || left > room * 0.8) this.#root.scrollLeft = place - room * 0.25;
  }

  /** Drawn again only when it would look different: sound came, or the scale changed. */
  #drawWave(total: number): void {
    const key = `${total.toFixed(2)} ${this.#peaks.seconds.toFixed(2)}`;
    if (key === this.#drawn) return;
    this.#drawn = key;
    const count = Math.min(columns.maximum, Math.max(columns.minimum, Math.round(total * columnsASecond)));
    const data = total > 0 ? drawWaveform(this.#peaks.columns(count, total), width, height) : '';
    for (const wave of this.#root.querySelectorAll('.wave path')) wave.setAttribute('d', data);
  }
}
