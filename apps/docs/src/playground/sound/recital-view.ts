import type { DecodedSamples } from '@speech-api/audio/play';
import type { SpeechEvent } from '@speech-api/streaming';
import { silentWords } from '../../embedded/voice-limits.ts';
import { EventLog } from '../evidence/evidence.ts';
import { Stage, type StagePage, WordTable } from '../text/stage.ts';
import type { Speaking } from './speaking.ts';
import { Tape } from './tape.ts';

/** Passed to listeners of `word-lit` on the island, each time another word is heard. */
export interface WordLit {
  /** Index of the word in the timeline. */
  readonly index: number;
  readonly text: string;
  /** Seconds of the audio at which the timeline says the word begins and ends. */
  readonly start: number;
  readonly end: number;
  /** Seconds of the audio that were heard when it was lit. */
  readonly position: number;
}

/** What a view learns about the reader and reports about the sound. */
export interface RecitalViewListener {
  seek(seconds: number): void;
  lit(word: WordLit): void;
}

/** Audio that waits for so long to be heard has no device to sound on. */
const silenceMilliseconds = 6000;

/** Everything that moves while something is spoken: the text, the tape, the table of words and the events. */
export class RecitalView {
  readonly #stage: Stage;
  readonly #tape: Tape;
  readonly #table: WordTable;
  readonly #events: EventLog;
  readonly #first: HTMLElement | null;
  #began = 0;
  #isHeard = false;
  readonly #listener: RecitalViewListener;
  #segments: readonly { readonly start: number }[] | undefined;
  #duration = 0;
  #index = -1;

  constructor(
    island: HTMLElement,
    stage: HTMLElement,
    scroller: HTMLElement | undefined,
    listener: RecitalViewListener,
  ) {
    const seek = (seconds: number) => listener.seek(seconds);
    const seekWord = (index: number) => seek(this.#segments?.[index]?.start ?? 0);
    this.#stage = new Stage(stage, seekWord, scroller);
    this.#tape = new Tape(island, seek);
    this.#table = new WordTable(island, seek);
    this.#events = new EventLog(island);
    this.#first = island.querySelector('[data-first-sound]');
    this.#listener = listener;
  }

  /** Forgets what was spoken, and shows the texts that are about to be. */
  begin(pages: readonly StagePage[]): void {
    this.#began = performance.now();
    this.#isHeard = false;
    if (this.#first) this.#first.textContent = '';
    this.#segments = undefined;
    this.#duration = 0;
    this.#index = -1;
    this.#stage.show(pages);
    this.#tape.clear();
    this.#table.place([]);
    this.#events.clear();
  }

  /** Takes in decoded audio. */
  add(samples: DecodedSamples): void {
    this.#tape.add(samples);
  }

  /** Lists an event of the stream. */
  list(event: SpeechEvent): void {
    if (event.type === 'audio-chunk') this.#events.add(event.audio.length, () => event.wire);
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
    if (this.#first && !this.#isHeard && position > 0) {
      this.#isHeard = true;
      const waited = Math.max(0, performance.now() - this.#began - position * 1000);
      this.#first.textContent = `first sound after ${Math.round(waited)} ms`;
    }
    const waits = receivedSeconds > 1 && performance.now() - this.#began > silenceMilliseconds;
    if (this.#first?.textContent === '' && waits) this.#first.textContent = silentWords;
    const { segments } = timeline;
    const total = Math.max(timeline.duration, receivedSeconds, position);
    const changed = segments !== this.#segments;
    if (changed) {
      this.#stage.place(segments);
      this.#table.place(segments);
    }
    this.#tape.progress({ heard: position, total });
    if (changed || Math.abs(total - this.#duration) > 0.01) {
      this.#tape.place(segments, total);
    }
    this.#segments = segments;
    this.#duration = total;
  }

  /** Puts the lamp out. */
  darken(): void {
    this.#index = -1;
    this.#stage.light(-1);
    this.#tape.light(-1);
    this.#tape.tell();
    this.#table.light(-1);
  }

  #light(speaking: Speaking, index: number): void {
    if (index === this.#index) return;
    this.#index = index;
    this.#stage.light(index);
    this.#tape.light(index);
    this.#table.light(index);
    const segment = speaking.timeline.segments[index];
    if (!segment) return;
    const { text, start, end } = segment;
    this.#listener.lit({ index, text, start, end, position: speaking.position });
  }
}
