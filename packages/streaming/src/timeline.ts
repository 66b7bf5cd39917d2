import { asWritten, type CaptionOptions, type TimedText, writeSrt, writeVtt } from './captions.ts';
import type { AlignmentUpdateEvent, SpeechEvent } from './events.ts';

/** A timed piece of text: a word in scripts with spaces, a character in Chinese. */
export interface TimelineSegment {
  readonly text: string;
  /** Seconds from the start of the whole audio. */
  readonly start: number;
  /** Seconds from the start of the whole audio. */
  readonly end: number;
  readonly chunk_seq: number;
}

/** One text chunk as its latest snapshot describes it. */
export interface TimelineChunk {
  readonly chunk_seq: number;
  readonly content: string;
  /** Seconds from the start of the whole audio. */
  readonly chunk_audio_offset_sec: number;
  /** Duration of the chunk's audio in seconds. */
  readonly audio_duration: number;
}

/** The output of `JSON.stringify(timeline)`. */
export interface TimelineJson {
  readonly duration: number;
  readonly chunks: readonly TimelineChunk[];
  readonly segments: readonly TimelineSegment[];
}

/** Options for the captions of a timeline. */
export interface TimelineCaptionOptions extends CaptionOptions {
  /** The text of the request. A dialogue needs it, because a service may leave the tags of speakers out of `content`. */
  readonly text?: string;
  /** Names of the speakers of a dialogue in the order of their numbers. @defaultValue `Speaker 1` and so on */
  readonly speakers?: readonly string[];
}

interface Snapshot {
  /** Kept whole: its alignment is read only on demand. */
  readonly update: AlignmentUpdateEvent;
  globalSegments: readonly TimelineSegment[] | undefined;
}

interface Layout {
  readonly segments: readonly TimelineSegment[];
  /** For each segment, the last earlier one that ends later; -1 if there is none. */
  readonly longer: readonly number[];
}

/**
 * When each word is spoken, in seconds of the whole audio: one snapshot for each
 * `chunk_seq`, replaced by a later one, never appended to, unchanged by events without alignment.
 *
 * It can be read at any time while the stream still fills it.
 */
export class Timeline {
  readonly #snapshots = new Map<number, Snapshot>();
  #layout: Layout | undefined;
  #isComplete = false;

  /** True once the stream has ended: a timeline without words has none then. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Takes in an event of the stream. Events that carry no alignment change no word. */
  apply(event: SpeechEvent): void {
    if (event.type === 'end') this.#isComplete = true;
    if (event.type !== 'alignment-update') return;
    // Segments are placed on demand, because most snapshots are replaced before they are read.
    this.#snapshots.set(event.chunk_seq, { update: event, globalSegments: undefined });
    this.#layout = undefined;
  }

  /** All segments in global time, ordered by start. A new array after each change, the same one in between. */
  get segments(): readonly TimelineSegment[] {
    return this.#arrange().segments;
  }

  /** The chunks that have a snapshot, ordered by `chunk_seq`. */
  get chunks(): readonly TimelineChunk[] {
    return this.#ordered().map(({ update }) => ({
      chunk_seq: update.chunk_seq,
      content: update.content,
      chunk_audio_offset_sec: update.chunk_audio_offset_sec,
      audio_duration: update.alignment.audio_duration,
    }));
  }

  /** Seconds from the start of the audio to the end of the last aligned chunk; 0 before the first snapshot. */
  get duration(): number {
    let duration = 0;
    for (const { update } of this.#snapshots.values()) {
      duration = Math.max(duration, update.chunk_audio_offset_sec + update.alignment.audio_duration);
    }
    return duration;
  }

  /**
   * The segment that is spoken at this moment: `start <= seconds < end`. Undefined in a pause.
   * If segments overlap, the one that started last. Fast in long timelines too, unless very many lie inside one another.
   *
   * @param seconds - Position in the whole audio, for example a player's `currentTime`.
   */
  wordAt(seconds: number): TimelineSegment | undefined {
    return this.segments[this.indexAt(seconds)];
  }

  /** Like {@link wordAt}, but the index into {@link segments}; -1 in a pause. */
  indexAt(seconds: number): number {
    const { segments, longer } = this.#arrange();
    let index = lastStartingBy(segments, seconds);
    while (index >= 0 && (segments[index]?.end ?? 0) <= seconds) index = longer[index] ?? -1;
    return index;
  }

  /**
   * The timeline as WebVTT captions, with the words as `content` writes them, its punctuation included. With the `text` of a
   * dialogue, each cue has one speaker and names it.
   */
  toVtt(options?: TimelineCaptionOptions): string {
    return writeVtt(this.#captions(options), options);
  }

  /** The timeline as SubRip captions, with the words and names of {@link toVtt}. */
  toSrt(options?: TimelineCaptionOptions): string {
    return writeSrt(this.#captions(options), options);
  }

  toJSON(): TimelineJson {
    return { duration: this.duration, chunks: this.chunks, segments: this.segments };
  }

  #captions({ text, speakers }: TimelineCaptionOptions = {}): readonly TimedText[] {
    if (text !== undefined) return asWritten(this.segments, text, speakers);
    const written = this.#ordered().flatMap((snapshot) =>
      asWritten(placed(snapshot), snapshot.update.content, speakers),
    );
    return written.sort((left, right) => left.start - right.start);
  }

  #ordered(): Snapshot[] {
    return [...this.#snapshots.values()].sort(
      (left, right) => left.update.chunk_seq - right.update.chunk_seq,
    );
  }

  #arrange(): Layout {
    this.#layout ??= layOut(this.#ordered().flatMap(placed));
    return this.#layout;
  }
}

/** Without the digits that adding binary fractions leaves behind: 1.7129999999999999. */
const toMicrosecond = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;

function placed(snapshot: Snapshot): readonly TimelineSegment[] {
  const { alignment, chunk_seq, chunk_audio_offset_sec: offset } = snapshot.update;
  snapshot.globalSegments ??= alignment.segments.map(({ text, start, end }) => ({
    text,
    start: toMicrosecond(offset + start),
    end: toMicrosecond(offset + end),
    chunk_seq,
  }));
  return snapshot.globalSegments;
}

function layOut(segments: TimelineSegment[]): Layout {
  // Stable, so that segments which start together stay in reading order.
  segments.sort((left, right) => left.start - right.start);
  const longer: number[] = [];
  for (const { end } of segments) {
    let before = longer.length - 1;
    while (before >= 0 && (segments[before]?.end ?? 0) <= end) before = longer[before] ?? -1;
    longer.push(before);
  }
  return { segments, longer };
}

function lastStartingBy(segments: readonly TimelineSegment[], seconds: number): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((segments[middle]?.start ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
