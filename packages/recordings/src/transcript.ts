import { type CaptionOptions, writeSrt, writeVtt } from '@speech-api/streaming';
import type { TranscriptionSegment } from '@speech-api/types';
import { joinTexts } from './stitch.ts';

/** The output of `JSON.stringify(transcript)`: the shape of a transcription in the interface. */
export interface TranscriptJson {
  readonly text: string;
  readonly duration: number;
  readonly segments: readonly TranscriptionSegment[];
}

/** A paragraph: what is said between two long pauses. */
export interface Paragraph {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a whole recording; all times are seconds from its start. */
export class RecordingTranscript {
  readonly text: string;
  /** Seconds of the recording, counted in samples. */
  readonly duration: number;
  readonly segments: readonly TranscriptionSegment[];
  /** The language, where the service or the caller named it. */
  readonly language: string | undefined;

  constructor(json: TranscriptJson, language?: string) {
    this.text = json.text;
    this.duration = json.duration;
    this.segments = json.segments;
    this.language = language;
  }

  toVtt(options?: CaptionOptions): string {
    return writeVtt(this.segments, options);
  }

  toSrt(options?: CaptionOptions): string {
    return writeSrt(this.segments, options);
  }

  /** Segments between pauses of at least this many seconds. @defaultValue 1.5 */
  toParagraphs(pauseSeconds = 1.5): Paragraph[] {
    const groups: TranscriptionSegment[][] = [];
    for (const segment of this.segments) {
      const group = groups.at(-1);
      const before = group?.at(-1);
      if (group !== undefined && before !== undefined && segment.start - before.end < pauseSeconds)
        group.push(segment);
      else groups.push([segment]);
    }
    return groups.map((group) => ({
      text: joinTexts(group.map(({ text }) => text.trim())),
      start: group[0]?.start ?? 0,
      end: group.at(-1)?.end ?? 0,
    }));
  }

  toJSON(): TranscriptJson {
    return { text: this.text, duration: this.duration, segments: this.segments };
  }
}
