import type { Span } from './measure/voice-activity.ts';
import type { Container } from './read/sniff.ts';

/** What a file is. */
export interface FileFacts {
  readonly container: Container;
  /** Such as `pcm`, `mp3`, `opus`, `aac`. */
  readonly codec: string;
  /** Hz, of the file; that of Opus is not told and given as 8000. */
  readonly sampleRate: number;
  readonly channels: number;
  /** Seconds, counted: samples where the sound was decoded, packets where it could not be. Headers are not asked. */
  readonly duration: number;
  /** Whether it went on after the most that was to be read. */
  readonly cut: boolean;
  /** Whether the sound itself was heard; if not, nothing but the above is known. */
  readonly decoded: boolean;
}

/** What a clip of a voice sounds like. */
export interface ClipFacts extends FileFacts {
  /** dB of full scale, where there is a voice; `undefined` where none was heard. */
  readonly loudness: number | undefined;
  /** Hz, the median; `undefined` where nothing voiced was heard. */
  readonly pitch: number | undefined;
  /** Syllables a second, estimated; `undefined` where too little was heard. */
  readonly syllableRate: number | undefined;
  /** Where somebody seems to speak. */
  readonly voice: readonly Span[];
}

/** What is needed to recall the words of a recording. */
export interface HeardFile extends FileFacts {
  readonly voice: readonly Span[];
  /** Its fingerprint; empty where it was not decoded. */
  readonly frames: Uint32Array;
}
