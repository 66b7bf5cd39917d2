import { readFileSync } from 'node:fs';

/** A text as it was spoken once. */
export interface Recorded {
  /** Start and end of each word, in seconds. */
  readonly words: readonly (readonly [start: number, end: number])[];
  /** 16-bit samples in base64. */
  readonly audio: string;
}

const file = new URL('voice.json', import.meta.url);
let voice: Readonly<Record<string, Recorded>> | undefined;

/** The sound of a text and the times of its words. */
export function recorded(content: string): {
  readonly audio: Buffer;
  readonly words: Recorded['words'];
} {
  voice ??= JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Recorded>>;
  const found = voice[content];
  if (found === undefined) throw new Error(`"${content}" was never spoken: run record.ts`);
  return { words: found.words, audio: Buffer.from(found.audio, 'base64') };
}
