import { asWritten, type CaptionOptions, type TimedText, writeSrt, writeVtt } from '@speech-api/streaming';
import type { TranscriptionSegment } from '@speech-api/types';
import { joinTexts, type PartTurn } from './stitch.ts';

/** The output of `JSON.stringify(transcript)`: the shape of a transcription in the interface. */
export interface TranscriptJson {
  readonly text: string;
  readonly duration: number;
  readonly segments: readonly TranscriptionSegment[];
  readonly language_code?: string;
  /** Only set if speakers were told apart. */
  readonly speaker_turns?: readonly PartTurn[];
}

/** A paragraph: what one speaker says between two long pauses. */
export interface Paragraph {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a whole recording; all times are seconds from its start. */
export class RecordingTranscript {
  /** The text without speaker marks; speakers are in `turns`. */
  readonly text: string;
  /** Seconds of the recording, counted in samples. */
  readonly duration: number;
  readonly segments: readonly TranscriptionSegment[];
  /** The turns of the speakers; empty if speakers were not told apart. */
  readonly turns: readonly PartTurn[];
  /** False if the service found no times for a part: its words are then in no segment, caption or paragraph. */
  readonly hasTimes: boolean;
  /** The language, if the service or the caller named one. */
  readonly language: string | undefined;

  constructor(json: TranscriptJson, hasTimes: boolean) {
    this.text = json.text;
    this.duration = json.duration;
    this.segments = json.segments;
    this.turns = json.speaker_turns ?? [];
    this.language = json.language_code;
    this.hasTimes = hasTimes;
  }

  /** WebVTT captions. If speakers were told apart, each cue has one and names it. */
  toVtt(options?: CaptionOptions): string {
    return writeVtt(this.#captions(), options);
  }

  /** SubRip captions, with the words and names of {@link toVtt}. */
  toSrt(options?: CaptionOptions): string {
    return writeSrt(this.#captions(), options);
  }

  /** Such as `Speaker 1`, or `Part 2, speaker 1`: the numbers start anew in each part. */
  speakerOf({ part, speaker }: PartTurn): string {
    const name = `Speaker ${Number(speaker.replace(/\D/g, '')) + 1}`;
    const hasParts = this.turns.some((turn) => turn.part !== part);
    return hasParts ? `Part ${part + 1}, ${name.toLowerCase()}` : name;
  }

  #captions(): TimedText[] {
    const turns = this.turns.filter(({ start }) => start !== undefined).reverse();
    return asWritten(this.segments, this.text).map((segment) => {
      const turn = turns.find(({ start = 0 }) => start <= segment.start);
      return turn === undefined ? segment : { ...segment, speaker: this.speakerOf(turn) };
    });
  }

  /** A pause of at least this many seconds begins a paragraph, and so does a turn. @defaultValue 1.5 */
  toParagraphs(pauseSeconds = 1.5): Paragraph[] {
    const begins = new Set(this.turns.map(({ start }) => start));
    const groups: TranscriptionSegment[][] = [];
    for (const segment of asWritten(this.segments, this.text)) {
      const group = groups.at(-1);
      const pause = segment.start - (group?.at(-1)?.end ?? Number.NEGATIVE_INFINITY);
      if (group !== undefined && pause < pauseSeconds && !begins.has(segment.start)) group.push(segment);
      else groups.push([segment]);
    }
    return groups.map((group) => ({
      text: joinTexts(group.map(({ text }) => text.trim())),
      start: group[0]?.start ?? 0,
      end: group.at(-1)?.end ?? 0,
    }));
  }

  toJSON(): TranscriptJson {
    const { text, duration, segments, turns, language } = this;
    return {
      ...{ text, duration, segments },
      ...(language === undefined ? {} : { language_code: language }),
      ...(turns.length === 0 ? {} : { speaker_turns: turns }),
    };
  }
}
