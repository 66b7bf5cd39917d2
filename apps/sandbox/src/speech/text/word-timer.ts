import type { TimedEvent } from '../engine/protocol.ts';
import type { Token } from './characters.ts';

/** A token and when it is heard, in seconds from the start of the utterance. */
export interface TimedToken {
  readonly token: Token;
  readonly start: number;
  readonly end: number;
}

interface OpenSpan {
  readonly index: number;
  readonly begins: number;
  sounds: { phoneme: string; time: number }[];
  pause: number | undefined;
}

/**
 * Makes word times out of the engine's events.
 *
 * One written token gives several word events ("$3.50" gives five): they are merged. One event can cover several
 * tokens (two Chinese characters that make a word): they share its time. The next word's start is not a word's end:
 * a phoneme event without a phoneme marks a pause, and the word ends where the pause begins.
 */
export class WordTimer {
  readonly #tokens: readonly Token[];
  readonly #tokenAt: readonly (number | undefined)[];
  readonly #timed: TimedToken[] = [];
  #open: OpenSpan | undefined;
  #next = 0;
  #position = -1;

  /** @param length characters of the utterance */
  constructor(tokens: readonly Token[], length: number) {
    this.#tokens = tokens;
    this.#tokenAt = Array.from({ length }, (_, position) => {
      // The engine now and then points at the space before the word it means.
      const index = tokens.findIndex(({ start, end }) => position < end && position >= start - 1);
      return index < 0 ? undefined : index;
    });
  }

  /** Tokens whose end is known so far. */
  get timed(): readonly TimedToken[] {
    return this.#timed;
  }

  add(events: readonly TimedEvent[]): void {
    for (const event of events) {
      if (event.event === 'word') this.#onWord(event.position, event.length, event.time);
      else if (event.event === 'phoneme') this.#onPhoneme(event.phoneme, event.time);
    }
  }

  /** @param duration seconds of the whole utterance */
  finish(duration: number): void {
    this.#close(duration, this.#tokens.length);
    // The engine gave no events, so the tokens share the whole duration.
    if (this.#next < this.#tokens.length) {
      this.#share(
        { index: this.#next, begins: this.#timed.at(-1)?.end ?? 0, sounds: [], pause: undefined },
        duration,
        this.#tokens.length,
      );
    }
  }

  #onWord(position: number, length: number, time: number): void {
    const index = this.#tokenOf(position, length);
    if (index !== undefined && index <= (this.#open?.index ?? this.#next - 1)) return;
    this.#position = position;
    // Spoken punctuation between tokens, such as a dash, belongs to no token.
    this.#close(time, index);
    if (index !== undefined) this.#open = { index, begins: time, sounds: [], pause: undefined };
  }

  #tokenOf(position: number, length: number): number | undefined {
    const index = this.#tokenAt[position];
    const open = this.#open;
    if (open === undefined || index !== open.index || position !== this.#position) return index;
    // The same place again, and it reaches over the next character: the first event was for this one.
    const next = this.#tokens[index + 1];
    const reachesOver =
      this.#tokens[index]?.single === true && next !== undefined && next.start < position + length;
    return reachesOver ? index + 1 : index;
  }

  #onPhoneme(phoneme: string, time: number): void {
    const open = this.#open;
    if (open === undefined || phoneme.startsWith('(')) return;
    if (phoneme === '') {
      if (open.sounds.length > 0) open.pause ??= time;
      return;
    }
    open.pause = undefined;
    open.sounds.push({ phoneme, time });
  }

  /** @param upTo the token that begins now; those passed over share the open one's time */
  #close(time: number, upTo: number | undefined): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    this.#share(open, open.pause ?? time, upTo ?? open.index + 1);
  }

  #share(span: OpenSpan, end: number, upTo: number): void {
    const tokens = this.#tokens.slice(this.#next, upTo);
    const start = Math.max(span.sounds[0]?.time ?? span.begins, this.#timed.at(-1)?.end ?? 0);
    const bounds = splitTimes(tokens, span.sounds, start, Math.max(start, end));
    tokens.forEach((token, index) => {
      this.#timed.push({ token, start: bounds[index] ?? start, end: bounds[index + 1] ?? end });
    });
    this.#next = upTo;
  }
}

/** Start of every token and end of the last: by syllables where each token is one, else by length. */
function splitTimes(
  tokens: readonly Token[],
  sounds: readonly { phoneme: string; time: number }[],
  start: number,
  end: number,
): number[] {
  if (tokens.length > 1 && tokens.every(({ single }) => single)) {
    const starts = syllableStarts(sounds);
    if (starts.length === tokens.length && sounds.some(({ phoneme }) => isVowel(phoneme))) {
      return [start, ...starts.slice(1), end];
    }
  }
  const total = tokens.reduce((sum, token) => sum + token.end - token.start, 0);
  const bounds = [start];
  let passed = 0;
  for (const token of tokens) {
    passed += token.end - token.start;
    bounds.push(start + ((end - start) * passed) / total);
  }
  return bounds;
}

const vowel = /[aeiouyæɑɐɒəɚɛɜɝɤɨɪɔøœɯʉʊʌ]/u;

export function isVowel(phoneme: string): boolean {
  return vowel.test(phoneme);
}

/** Syllables begin at each vowel, or at the consonant right before it. */
export function syllableStarts(sounds: readonly { phoneme: string; time: number }[]): number[] {
  const starts: number[] = [];
  sounds.forEach((sound, index) => {
    if (!isVowel(sound.phoneme)) return;
    const before = sounds[index - 1];
    const onset = before !== undefined && !isVowel(before.phoneme) ? before : sound;
    starts.push(onset.time);
  });
  return starts;
}
