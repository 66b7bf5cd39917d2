import { RequestError } from '@speech-api/client';
import { bitsPerSample, defaultSampleRates, synthesisDefaults } from '@speech-api/types/constants';
import type { LiveRequest } from './messages.ts';

/** Speaking rate of a voice until a better estimate is known. */
const charactersPerSecond = 15;
/** No voice is believed to be faster, whatever a stalling service makes of the estimate. */
const fastestCharactersPerSecond = 30;
/** A character of these scripts is a syllable or more: it takes about as long as three letters. */
const syllables = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;
const lettersOfSyllable = 3;
/** Audio came and then none for so long: what was sent is spoken. */
const spokenMilliseconds = 1000;
/** No audio came at all for so long: what was sent makes none. */
const silentMilliseconds = 10_000;
/** A player that stands still with no more than this left has played all: its sound card and decoder keep some. */
const tailMilliseconds = 1000;
/** Bits of a second of opus at automatic bitrate, about. */
const automaticOpusBitrate = 32_000;

/** Milliseconds of audio: exact for pcm, near for wav and mp3, a guess for opus at automatic bitrate. */
export function millisecondsOf(bytes: number, request: LiveRequest): number {
  const { format = synthesisDefaults.format, sample_rate, mp3_bitrate, opus_bitrate } = request;
  if (format === 'mp3') return (bytes * 8) / (mp3_bitrate ?? synthesisDefaults.mp3_bitrate);
  if (format === 'opus') {
    const bitrate = opus_bitrate && opus_bitrate > 0 ? opus_bitrate : automaticOpusBitrate;
    return (bytes * 8000) / bitrate;
  }
  return (bytes * 8000) / ((sample_rate ?? defaultSampleRates[format]) * bitsPerSample[format]);
}

/** Characters of a text, in letters that take as long to say. */
function lettersOf(text: string): number {
  return text.length + (text.match(syllables)?.length ?? 0) * (lettersOfSyllable - 1);
}

/**
 * Speaking rate of a voice, learnt from the audio as it comes. It tells how much of an utterance is ahead of
 * playback, audio that was not played and text whose audio has yet to come, and what was heard.
 */
export class Pace {
  readonly #played: (() => number) | undefined;
  readonly #exact: boolean;
  readonly #now: () => number;
  /** Letters that were sent, and those of them whose audio has all come. */
  #sent = 0;
  #spoken = 0;
  /** Milliseconds of audio that came, those that came for what is spoken, and those that the caller has read. */
  #received = 0;
  #receivedOfSpoken = 0;
  #read = 0;
  #perLetter = 1000 / charactersPerSecond;
  #sentAt = 0;
  #audioAt = Number.NEGATIVE_INFINITY;
  #paused = false;
  #finished = false;
  /** Last position that `played` gave, when it changed, and the position that was taken for the end. */
  #position = 0;
  #movedAt = 0;
  #stoppedAt = 0;
  /** Milliseconds that were counted and turned out not to be there. */
  #missing = 0;

  /**
   * @param exact whether the milliseconds of audio are known, and not guessed from its bytes
   * @param played milliseconds that a player has played; without it, audio counts as played once it was read
   */
  constructor(exact: boolean, played?: () => number, now: () => number = () => performance.now()) {
    this.#exact = exact;
    this.#played = played;
    this.#now = now;
  }

  /** Text has left. */
  sent(text: string): void {
    this.#sent += lettersOf(text);
    this.#sentAt = this.#now();
  }

  /** Audio has come. */
  received(milliseconds: number): void {
    this.#audioAt = this.#now();
    this.#received += milliseconds;
    // A slow voice is known at once; a quick one when its audio has all come.
    if (this.#sent > 0) this.#perLetter = Math.max(this.#perLetter, this.#received / this.#sent);
  }

  /** The caller has taken audio. */
  read(milliseconds: number): void {
    this.#read += milliseconds;
  }

  /** All audio has come. A cut is no such end. */
  finished(): void {
    this.#finished = true;
    if (this.#sent > 0) this.#perLetter = this.#received / this.#sent;
  }

  /** While a socket is paused no audio can come, so that its absence tells nothing. */
  pause(paused: boolean): void {
    if (this.#paused && !paused) this.#sentAt = this.#now();
    this.#paused = paused;
  }

  secondsAhead(): number {
    this.#settle();
    const expected = (this.#sent - this.#spoken) * this.#perLetter;
    const came = this.#received - this.#receivedOfSpoken;
    return (this.#unplayed() + Math.max(0, expected - came)) / 1000;
  }

  /** The part of the sent text that was heard after so much playing, up to a whole word. */
  heard(text: string, playedMilliseconds: number): string {
    if (this.#finished && playedMilliseconds >= this.#received) return text;
    let letters = Math.min(playedMilliseconds, this.#received) / this.#perLetter;
    let end = 0;
    for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)) {
      letters -= lettersOf(segment);
      if (letters < -0.01) break;
      // Before the end is known, the last word may be cut.
      if (!this.#finished && index + segment.length === text.length) break;
      end = index + segment.length;
    }
    return text.slice(0, end).trimEnd();
  }

  /** Takes what was sent for spoken when no more audio comes of it: estimates may be wrong, and nothing may wait forever. */
  #settle(): void {
    if (this.#paused) return;
    const now = this.#now();
    const answered = this.#audioAt >= this.#sentAt;
    const quiet = now - Math.max(this.#audioAt, this.#sentAt);
    if (quiet < (answered ? spokenMilliseconds : silentMilliseconds)) return;
    if (answered && this.#sent > 0) {
      const learnt = this.#received / this.#sent;
      this.#perLetter = Math.max(learnt, 1000 / fastestCharactersPerSecond);
    }
    this.#spoken = this.#sent;
    this.#receivedOfSpoken = this.#received;
  }

  #unplayed(): number {
    if (!this.#played) return Math.max(0, this.#received - this.#read);
    const now = this.#now();
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
