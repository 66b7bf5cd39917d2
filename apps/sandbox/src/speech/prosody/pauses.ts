/** What a stretch of text ends with: how long the silence after it is. */
export type Ending = 'sentence' | 'clause' | 'word';

/** Seconds at speed 1; the engine puts none after an utterance. */
const seconds: Record<Ending, number> = { sentence: 0.32, clause: 0.16, word: 0.05 };
const secondsBetweenSpeakers = 0.3;

/** Seconds of silence after a chunk. Faster speech pauses less. */
export function pauseAfterChunk(ending: Ending, speed: number): number {
  return seconds[ending] / speed;
}

/** Seconds of silence between two utterances of one chunk: only what the mark at the end of the first asks for. */
export function pauseBetween(text: string, speakerChanges: boolean, speed: number): number {
  const mark = /([^\s"'”’»)\]）】》」』])["'”’»)\]）】》」』\s]*$/u.exec(text)?.[1] ?? '';
  const asked = /[.!?…。！？]/u.test(mark)
    ? seconds.sentence
    : /[,;:，；：、—]/u.test(mark)
      ? seconds.clause
      : 0;
  return Math.max(asked, speakerChanges ? secondsBetweenSpeakers : 0) / speed;
}
