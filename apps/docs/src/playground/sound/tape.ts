import type { TimelineSegment } from '@speech-api/streaming';
import { find } from '../page/page.ts';

/** Peaks of the waveform in a second of audio. */
const peaksPerSecond = 40;
/** The drawing's own height; the browser stretches it to the room there is. */
const height = 100;
/** Silence is drawn as a line of this share of the height. */
const silence = 0.01;
/** A clip is scaled to fill its height, unless it is quieter than this. */
const quiet = 0.2;

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
  /** The loudest sample of each stretch of the audio. */
  #peaks: number[] = [];
  #samples = 0;
  #segments: readonly TimelineSegment[] = [];
  #lit = -1;
  #heard = 0;
  #total = 0;
  #isDrawn = false;

  /** @param seek called with the second to go on from, the start of a word wherever there is one */
  constructor(island: HTMLElement, seek: (seconds: number) => void) {
    this.#root = find(island, '[data-tape]');
    this.#words = find(this.#root, '[data-tape-words]');
    this.#clock = find(island, '[data-clock]');
    this.#root.addEventListener('click', (event) => {
      const { left, width } = this.#words.getBoundingClientRect();
      const seconds = ((event.clientX - left) / width) * this.#total;
      const word = this.#segments.findLast(({ start, end }) => start <= seconds && seconds < end);
      if (this.#total > 0) seek(word?.start ?? seconds);
    });
    this.#root.addEventListener('keydown', (event) => {
      const step = steps[event.key];
      if (step === undefined || this.#segments.length === 0) return;
      event.preventDefault();
      const current = this.#segments.findLastIndex(({ start }) => start <= this.#heard + 0.001);
      const index = Math.max(0, Math.min(current + step, this.#segments.length - 1));
      const seconds = this.#segments[index]?.start ?? 0;
      seek(seconds);
      this.tell(seconds);
    });
    this.#root.addEventListener('focus', () => this.tell());
  }

  clear(): void {
    this.#peaks = [];
    this.#samples = 0;
    this.#root.scrollLeft = 0;
    this.draw([], -1, 0, 0);
    this.tell();
  }

  /** Takes the loudness of decoded audio. */
  add(samples: Float32Array, sampleRate: number): void {
    for (const sample of samples) {
      const place = Math.floor((this.#samples * peaksPerSecond) / sampleRate);
      this.#peaks[place] = Math.max(this.#peaks[place] ?? 0, Math.abs(sample));
      this.#samples += 1;
    }
    this.#isDrawn = false;
  }

  /**
   * @param lit the index of the word that is heard
   * @param heard seconds that were heard, of the `total` that there are
   */
  draw(segments: readonly TimelineSegment[], lit: number, heard: number, total: number): void {
    const isLonger = Math.abs(total - this.#total) > 0.01;
    if (segments !== this.#segments || isLonger) this.#place(segments, total);
    if (isLonger || !this.#isDrawn) this.#drawWave(total);
    this.#heard = heard;
    const share = total > 0 ? Math.min(heard / total, 1) : 0;
    this.#root.style.setProperty('--share', String(share));
    this.#root.toggleAttribute('data-empty', total === 0);
    this.#follow(share);
    this.#clock.textContent = `${heard.toFixed(1)} / ${total.toFixed(1)} s`;
    this.#words.children[this.#lit]?.removeAttribute('data-lit');
    this.#words.children[lit]?.setAttribute('data-lit', '');
    this.#lit = lit;
  }

  /** Draws one block per segment, as wide as it lasts. */
  #place(segments: readonly TimelineSegment[], total: number): void {
    this.#segments = segments;
    this.#total = total;
    this.#root.style.setProperty('--seconds', String(total));
    this.#words.replaceChildren(
      ...segments.map(({ text, start, end }) => {
        const block = document.createElement('i');
        block.style.setProperty('--from', String(start / total));
        block.style.setProperty('--to', String(end / total));
        block.textContent = text;
        return block;
      }),
    );
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

  /** Keeps what is heard in sight, unless the reader points at another place. */
  #follow(share: number): void {
    if (this.#root.matches(':hover')) return;
    const room = this.#root.clientWidth;
    const place = share * this.#words.offsetWidth;
    const left = place - this.#root.scrollLeft;
    if (left < room * 0.1 || left > room * 0.8) this.#root.scrollLeft = place - room * 0.25;
  }

  /** Draws the peaks as one outline that is mirrored at the middle, the loudest to the edge. */
  #drawWave(total: number): void {
    this.#isDrawn = true;
    const loudest = this.#peaks.reduce((maximum, peak) => Math.max(maximum, peak), quiet);
    const reaches = this.#peaks.map((peak) => (Math.max(silence, peak / loudest) * height) / 2);
    const upper = reaches.map((reach, index) => `${index} ${height / 2 - reach}`);
    const lower = reaches.map((reach, index) => `${index} ${height / 2 + reach}`);
    const outline = [...upper, ...lower.reverse()].join('L');
    for (const wave of this.#root.querySelectorAll('.wave')) {
      wave.setAttribute('viewBox', `0 0 ${total * peaksPerSecond} ${height}`);
      find(wave, 'path').setAttribute('d', outline === '' ? '' : `M${outline}Z`);
    }
  }
}
