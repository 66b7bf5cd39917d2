/** A word and when it is heard, in seconds from the start of its document. */
export interface TimedWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Sound whose words are known. */
export interface RecallDocument {
  /** `echo`: this sandbox said it. `fixture`: a developer has told what is said in it. */
  readonly origin: 'echo' | 'fixture';
  readonly text: string;
  readonly words: readonly TimedWord[];
  /** ISO code, such as `en`. */
  readonly language: string | undefined;
  /** The fingerprint: 32 bits every 16 ms. */
  readonly frames: Uint32Array;
}

/** A frame of a document that looks like one that was asked for. */
export interface FrameMatch {
  /** Index of the frame that was asked for. */
  readonly asked: number;
  readonly document: RecallDocument;
  /** Index of the document's frame. */
  readonly frame: number;
}

/**
 * What is known by ear. A store that keeps documents over a restart gives them to this one at the start.
 *
 * Calls do not block for long: `lookup` is asked for a few hundred frames at a time.
 */
export interface RecallStore {
  /** What is there already is not kept twice. */
  add(document: RecallDocument): void;
  /** Frames that differ in one bit at most from those asked for. */
  lookup(frames: Uint32Array): readonly FrameMatch[];
  clear(): void;
}
