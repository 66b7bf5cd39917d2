import { RequestError } from '@speech-api/client';
import { charactersPerSecond } from './defaults.ts';

/** A character of these scripts is a syllable or more: it takes about as long as three letters. */
const syllables = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;
const lettersOfSyllable = 3;
/** No voice is believed to be faster, whatever a stalling service makes of the estimate. */
const fastestCharactersPerSecond = 30;
/** Audio came and then none for so long: what was sent is spoken. */
const spokenMilliseconds = 1000;
/** No audio came at all for so long: what was sent makes none. */
const silentMilliseconds = 10_000;
/** A player that stands still with no more than this left has played all: its sound card and decoder keep some. */
const tailMilliseconds = 1000;

/** How much of an utterance is ahead of playback: audio that was not played, and text whose audio has yet to come. */
export class Ahead {
  readonly #played: (() => number) | undefined;
  readonly #exact: boolean;
  readonly #now: () => number;
  /** Letters that were sent, and those of them whose audio has all come. */
  #sent = 0;
  #spoken = 0;
  /** Milliseconds of audio that came, and those that came for what is spoken. */
  #received = 0;
  #receivedOfSpoken = 0;
  #perLetter = 1000 / charactersPerSecond;
  #sentAt = 0;
  #audioAt = Number.NEGATIVE_INFINITY;
  /** When all that came is played, by a player that never waits. */
  #playedOutAt = 0;
  #paused = false;
  /** What `played` said last, since when, and where its standing still was believed to be the end. */
  #position = 0;
  #movedAt = 0;
  #stoppedAt = 0;
  /** Milliseconds that were counted and turned out not to be there. */
  #missing = 0;

  /**
   * @param exact whether the milliseconds of audio are known, and not guessed from its bytes
   * @param played milliseconds that a player has played
   */
  constructor(exact: boolean, played?: () => number, now: () => number = () => performance.now()) {
    this.#exact = exact;
    this.#played = played;
    this.#now = now;
  }

  /** Text has left. */
  sent(text: string): void {
    this.#sent += text.length + (text.match(syllables)?.length ?? 0) * (lettersOfSyllable - 1);
    this.#sentAt = this.#now();
  }

  /** Audio has come. */
  received(milliseconds: number): void {
    this.#audioAt = this.#now();
    this.#received += milliseconds;
    this.#playedOutAt = Math.max(this.#playedOutAt, this.#audioAt) + milliseconds;
    // A slow voice is known at once; a quick one when its audio has all come.
    if (this.#sent > 0) this.#perLetter = Math.max(this.#perLetter, this.#received / this.#sent);
  }

  /** While a socket is paused no audio can come, so that its absence tells nothing. */
  pause(paused: boolean): void {
    if (this.#paused && !paused) this.#sentAt = this.#now();
    this.#paused = paused;
  }

  seconds(): number {
    this.#settle();
    const expected = (this.#sent - this.#spoken) * this.#perLetter;
    const came = this.#received - this.#receivedOfSpoken;
    return (this.#unplayed() + Math.max(0, expected - came)) / 1000;
  }

  /** Takes what was sent for spoken when no more audio comes of it: estimates may be wrong, and nothing may wait forever. */
  #settle(): void {
    if (this.#paused) return;
    const now = this.#now();
    const heard = this.#audioAt >= this.#sentAt;
    const quiet = now - Math.max(this.#audioAt, this.#sentAt);
    if (quiet < (heard ? spokenMilliseconds : silentMilliseconds)) return;
    if (heard && this.#sent > 0) {
      const learnt = this.#received / this.#sent;
      this.#perLetter = Math.max(learnt, 1000 / fastestCharactersPerSecond);
    }
    this.#spoken = this.#sent;
    this.#receivedOfSpoken = this.#received;
  }

  #unplayed(): number {
    const now = this.#now();
    if (!this.#played) return Math.max(0, this.#playedOutAt - now);
    const position = this.#played();
    if (typeof position !== 'number' || Number.isNaN(position)) {
      throw new RequestError(`played() gave ${String(position)}; give milliseconds from 0`, {
        field: 'played',
      });
    }
    if (position !== this.#position) {
      this.#position = position;
      this.#movedAt = now;
    }
    const left = this.#received - this.#missing - position;
    const still = now - Math.max(this.#movedAt, this.#audioAt);
    // A player that ran and stands still is at its end, or its listener paused it. Where the length of the audio is a
    // guess the two cannot be told apart: the end is believed, once until it moves again.
    if (position > 0 && position !== this.#stoppedAt && still >= spokenMilliseconds && !this.#paused) {
      if (left <= tailMilliseconds || !this.#exact) {
        this.#stoppedAt = this.#position;
        this.#missing += left;
        return 0;
      }
    }
    return Math.max(0, left);
  }
}
