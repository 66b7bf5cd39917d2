import { RequestError } from '@speech-api/client';
import { asWritten, type Timeline } from '@speech-api/streaming';
import { bitsPerSample, defaultSampleRates, synthesisDefaults } from '@speech-api/types/constants';
import type { LiveRequest } from './messages.ts';

/** Letters that an ordinary voice says in a second. */
const lettersPerSecond = 15;
/** A character of these scripts is a syllable or more: it takes about as long as three letters. */
const syllables = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;
const lettersOfSyllable = 3;
/** Letters with which a digit is spoken: "thirty-seven", "two thousand". */
const lettersOfDigit = 5;
/** After this long without audio, no more is expected. */
const spokenMilliseconds = 1000;
/** The same for text without any audio so far. */
const silentMilliseconds = 10_000;
/** Maximum bits per second of opus at automatic bitrate, so that the counted milliseconds are never too many. */
const highestOpusBitrate = 64_000;

/** Milliseconds of audio in this many bytes. */
export function millisecondsOf(bytes: number, request: LiveRequest): number {
  const { format = synthesisDefaults.format, sample_rate, mp3_bitrate, opus_bitrate } = request;
  if (format === 'mp3') return (bytes * 8) / (mp3_bitrate ?? synthesisDefaults.mp3_bitrate);
  if (format === 'opus') {
    const bitrate = opus_bitrate && opus_bitrate > 0 ? opus_bitrate : highestOpusBitrate;
    return (bytes * 8000) / bitrate;
  }
  return (bytes * 8000) / ((sample_rate ?? defaultSampleRates[format]) * bitsPerSample[format]);
}

/** Approximate milliseconds to speak a text. */
function speakingTime(text: string): number {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const letters =
    text.length + count(syllables) * (lettersOfSyllable - 1) + count(/\p{N}/gu) * (lettersOfDigit - 1);
  return (letters * 1000) / lettersPerSecond;
}

/**
 * The amount of speech ahead of the listener: unplayed audio, and audio expected for the sent text at fifteen letters a second.
 */
export class Pace {
  readonly #request: LiveRequest;
  readonly #playedMilliseconds: (() => number) | undefined;
  readonly #now: () => number;
  #expected = 0;
  #received = 0;
  #read = 0;
  #sentAt = 0;
  #receivedAt = Number.NEGATIVE_INFINITY;
  #isPaused = false;

  /** @param played milliseconds that a player has played; without it, audio counts as played once it was read */
  constructor(request: LiveRequest, played?: () => number, now: () => number = () => performance.now()) {
    this.#request = request;
    this.#playedMilliseconds = played;
    this.#now = now;
  }

  get receivedMilliseconds(): number {
    return this.#received;
  }

  sent(text: string): void {
    this.#expected += speakingTime(text);
    this.#sentAt = this.#now();
  }

  received(bytes: number): void {
    const milliseconds = millisecondsOf(bytes, this.#request);
    this.#received += milliseconds;
    this.#expected = Math.max(0, this.#expected - milliseconds);
    this.#receivedAt = this.#now();
  }

  /** Notes that the caller has read audio. */
  read(bytes: number): void {
    this.#read += millisecondsOf(bytes, this.#request);
  }

  /** No audio arrives while a socket is paused, so its absence means nothing. */
  pause(isPaused: boolean): void {
    if (this.#isPaused && !isPaused) this.#sentAt = this.#now();
    this.#isPaused = isPaused;
  }

  secondsAhead(): number {
    const quiet = this.#now() - Math.max(this.#receivedAt, this.#sentAt);
    const limit = this.#receivedAt >= this.#sentAt ? spokenMilliseconds : silentMilliseconds;
    if (!this.#isPaused && quiet >= limit) this.#expected = 0;
    const played = this.#playedMilliseconds?.() ?? this.#read;
    if (typeof played !== 'number' || Number.isNaN(played)) {
      throw new RequestError(`played() gave ${String(played)}; give milliseconds from 0`, {
        field: 'played',
      });
    }
    return (Math.max(0, this.#received - played) + this.#expected) / 1000;
  }
}

/**
 * The part of a text that was heard after so much playing, up to a whole word, by the share of its audio.
 *
 * @param isWhole all of its audio came
 */
export function estimateHeard(
  text: string,
  playedMilliseconds: number,
  receivedMilliseconds: number,
  isWhole: boolean,
): string {
  if (isWhole && playedMilliseconds >= receivedMilliseconds) return text;
  const whole = speakingTime(text);
  const length = isWhole ? receivedMilliseconds : Math.max(receivedMilliseconds, whole);
  let rest = (Math.min(playedMilliseconds, receivedMilliseconds) / length) * whole;
  let end = 0;
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)) {
    rest -= speakingTime(segment);
    // The last word may be incomplete until all audio has arrived.
    if (rest < -0.01 || (!isWhole && index + segment.length === text.length)) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd();
}

/** Characters in which to search for a word that the text spells differently. */
const reach = 60;

/** The part of a text that was heard at a playback time, by the times of its words. */
export function heardWords(text: string, timeline: Timeline, playedMilliseconds: number): string {
  const { chunks, segments } = timeline;
  const words = chunks.flatMap(({ chunk_seq, content }) =>
    asWritten(
      segments.filter((segment) => segment.chunk_seq === chunk_seq),
      content,
    ),
  );
  let heardTo = 0;
  for (const { text: written, end } of words) {
    if (end * 1000 > playedMilliseconds) continue;
    const word = written.trim();
    const at = text.indexOf(word, heardTo);
    if (at >= 0 && at - heardTo <= reach) heardTo = at + word.length;
  }
  return text.slice(0, heardTo);
}
