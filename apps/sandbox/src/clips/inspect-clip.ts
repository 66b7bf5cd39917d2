import { containerOf } from './container.ts';

/** What is known of a recording. What was not measured is absent, never guessed. */
export interface ClipFacts {
  /** Why no voice can be made of it, as a sentence without its end; absent when one can. */
  readonly problem?: string;
  /** Measured from the decoded audio, not read from a header. */
  readonly seconds?: number;
  readonly language?: string;
  /** Measurements by their names. */
  readonly metrics?: Readonly<Record<string, number>>;
}

/** Finds out what a recording is. */
export async function inspectClip(bytes: Uint8Array): Promise<ClipFacts> {
  if (containerOf(bytes)?.kind !== 'audio') return { problem: 'it is in no audio format that is known here' };
  return {};
}
