import type { DecodedSamples } from '@speech-api/audio/play';
import { find } from '../page/page.ts';
import { drawWaveform, Peaks } from './peaks.ts';

/** Something with a place in time. */
export interface TapeSegment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** How far things are, in seconds. */
export interface TapeProgress {
  readonly heard: number;
  readonly total: number;
}

/** The drawing's own units; the browser stretches them to the room there is. */
const width = 1000;
const height = 100;
const columns = 400;
/** So many of a hundred words are shown whole: the tape is as wide as they need. */
const wholeWords = 85;
/** So long the tape stays where the reader put it. */
const lookingMilliseconds = 4000;
/** Wider it is not made: of a long recording the words are in its captions. */
const widest = 24_000;

/** The waveform with the words along it. It is a slider: a click or a key chooses a word to go on from. */
export class Tape {
  readonly #root: HTMLElement;
  readonly #strip: HTMLElement;
  readonly #words: HTMLElement;
  readonly #clock: HTMLElement;
  readonly #waves: NodeListOf<SVGPathElement>;
  #peaks = new Peaks();
  #segments: readonly TapeSegment[] = [];
  #blocks: HTMLElement[] = [];
  #lit = -1;
  #progress: TapeProgress = { heard: 0, total: 0 };
  #drawn = '';
  /** Pixels that a second needs for its words. */
  #pixelsPerSecond = 0;
  #zoom = 1;
  /** Where the tape was put, and when the reader put it elsewhere. */
  #scrolled = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** @param seek called with the second to go on from, the start of a word wherever there is one */
  constructor(island: HTMLElement, seek: (seconds: number) => void) {
    this.#root = find(island, '[data-tape]');
    this.#strip = find(this.#root, '[data-strip]');
    this.#words = find(this.#root, '[data-tape-words]');
    this.#waves = this.#root.querySelectorAll('[data-wave]');
    this.#clock = find(island, '[data-clock]');
    this.#root.addEventListener('click', (event) => {
      const { left, width: room } = this.#strip.getBoundingClientRect();
      this.#lookedAt = Number.NEGATIVE_INFINITY;
      if (this.#progress.total > 0)
        seek(this.#wordStart(((event.clientX - left) / room) * this.#progress.total));
    });
    this.#root.addEventListener('keydown', (event) => {
      const seconds = this.#secondsFor(event.key);
      if (seconds === undefined || this.#progress.total === 0) return;
      event.preventDefault();
      seek(seconds);
      this.tell(seconds);
    });
    this.#root.addEventListener('focus', () => this.tell());
    this.#root.addEventListener('scroll', () => {
      if (Math.abs(this.#root.scrollLeft - this.#scrolled) > 2) this.#lookedAt = performance.now();
    });
  }

  clear(): void {
    this.#peaks = new Peaks();
    this.#segments = [];
    this.#blocks = [];
    this.#lit = -1;
    this.#words.replaceChildren();
    this.#pixelsPerSecond = 0;
    this.#root.scrollLeft = 0;
    this.#scrolled = 0;
    this.#lookedAt = Number.NEGATIVE_INFINITY;
    this.progress({ heard: 0, total: 0 });
    this.tell();
  }

  /** Draws decoded audio. */
  add(samples: DecodedSamples): void {
    this.#peaks.add(samples);
  }

  /** Draws one block a segment, as wide as it lasts. */
  place(segments: readonly TapeSegment[], total: number): void {
    this.#segments = segments;
    const labels: HTMLElement[] = [];
    this.#blocks = segments.map((segment) => {
      const block = document.createElement('i');
      block.style.setProperty('--from', String(total > 0 ? segment.start / total : 0));
      block.style.setProperty('--to', String(total > 0 ? segment.end / total : 0));
      const label = document.createElement('span');
      label.textContent = segment.text;
      block.append(label);
      labels.push(label);
      return block;
    });
    this.#words.replaceChildren(...this.#blocks);
    const needed = labels.map(({ offsetWidth }) => offsetWidth);
    const speeds = segments
      .map(({ start, end }, index) => (needed[index] ?? 0) / Math.max(end - start, 0.02))
      .sort((left, right) => left - right);
    // It never shrinks while words come: the tape would jump.
    const enough = speeds[Math.floor((speeds.length * wholeWords) / 100)] ?? 0;
    this.#pixelsPerSecond = Math.max(this.#pixelsPerSecond, enough);
    this.#stretch(total);
    this.#blocks.forEach((block, index) => {
      block.toggleAttribute('data-narrow', (needed[index] ?? 0) > block.clientWidth);
    });
    this.light(this.#lit);
  }

  /** Makes the strip as wide as its words need. */
  #stretch(total: number): void {
    const room = this.#root.clientWidth;
    const wanted = Math.min(widest, this.#pixelsPerSecond * total);
    // To scroll for the end of the last word alone would only annoy.
    this.#zoom = room > 0 && wanted > room * 1.15 ? wanted / room : 1;
    this.#strip.style.setProperty('--zoom', this.#zoom.toFixed(3));
  }

  /** Keeps what is heard in sight, unless the reader looks elsewhere. */
  #follow(share: number): void {
    if (performance.now() - this.#lookedAt < lookingMilliseconds) return;
    const room = this.#root.clientWidth;
    const place = share * room * this.#zoom;
    const left = place - this.#root.scrollLeft;
    if (left >= room * 0.1 && left <= room * 0.8) return;
    this.#root.scrollLeft = this.#zoom === 1 ? 0 : place - room * 0.25;
    this.#scrolled = this.#root.scrollLeft;
  }

  light(index: number): void {
    this.#blocks[this.#lit]?.removeAttribute('data-lit');
    this.#lit = index;
    const block = this.#blocks[index];
    if (block) block.dataset.lit = '';
  }

  progress(progress: TapeProgress): void {
    this.#progress = progress;
    const { heard, total } = progress;
    const share = total > 0 ? Math.min(heard / total, 1) : 0;
    this.#root.style.setProperty('--share', String(share));
    this.#root.toggleAttribute('data-empty', total === 0);
    this.#stretch(total);
    this.#follow(share);
    this.#clock.textContent = `${heard.toFixed(1)} / ${total.toFixed(1)} s`;
    this.#drawWave(total);
  }

  /** Writes where it is for a screen reader. Not while it plays: each change of a focused slider is read out. */
  tell(heard = this.#progress.heard): void {
    const { total } = this.#progress;
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

  /** Drawn again only when it would look different: sound came, or the scale changed. */
  #drawWave(total: number): void {
    const count = Math.round(columns * Math.min(this.#zoom, 12));
    const key = `${total.toFixed(2)} ${this.#peaks.seconds.toFixed(2)} ${count}`;
    if (key === this.#drawn) return;
    this.#drawn = key;
    const data = total > 0 ? drawWaveform(this.#peaks.columns(count, total), width, height) : '';
    for (const wave of this.#waves) wave.setAttribute('d', data);
  }

  #wordStart(seconds: number): number {
    return this.#segments.findLast(({ start, end }) => start <= seconds && seconds < end)?.start ?? seconds;
  }

  #secondsFor(key: string): number | undefined {
    if (this.#segments.length === 0) return this.#steppedFor(key);
    const current = this.#segments.findLastIndex(({ start }) => start <= this.#progress.heard + 0.001);
    const moves: Record<string, number> = {
      ArrowRight: current + 1,
      ArrowUp: current + 1,
      ArrowLeft: current - 1,
      ArrowDown: current - 1,
      PageUp: current + 5,
      PageDown: current - 5,
      Home: 0,
      End: this.#segments.length - 1,
    };
    const index = moves[key];
    if (index === undefined) return undefined;
    return this.#segments[Math.max(0, Math.min(index, this.#segments.length - 1))]?.start;
  }

  /** Where no words are known, time is all there is to go by. */
  #steppedFor(key: string): number | undefined {
    const { heard, total } = this.#progress;
    const steps: Record<string, number> = {
      ArrowRight: heard + 1,
      ArrowUp: heard + 1,
      ArrowLeft: heard - 1,
      ArrowDown: heard - 1,
      PageUp: heard + 10,
      PageDown: heard - 10,
      Home: 0,
      End: total,
    };
    const seconds = steps[key];
    return seconds === undefined ? undefined : Math.max(0, Math.min(seconds, total));
  }
}
