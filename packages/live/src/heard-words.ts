import { asWritten, type Timeline } from '@speech-api/streaming';

const reach = 60;

/** The part of a text that was heard after so much playing, by the times of its words. */
export function heardWords(text: string, timeline: Timeline, playedMilliseconds: number): string {
  const { chunks, segments } = timeline;
  const all = chunks.flatMap(({ chunk_seq, content }) =>
    asWritten(
      segments.filter((segment) => segment.chunk_seq === chunk_seq),
      content,
    ),
  );
  const words = all.filter(({ end }) => end * 1000 <= playedMilliseconds);
  let heardTo = 0;
  for (const { text: word } of words) {
    const at = text.indexOf(word.trim(), heardTo);
    // A word that is written otherwise in the text is not looked for in all that follows.
    if (at >= 0 && at - heardTo <= reach) heardTo = at + word.trim().length;
  }
  return text.slice(0, heardTo);
}
