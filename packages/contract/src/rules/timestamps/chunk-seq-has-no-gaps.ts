import { type Rule, unless } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const chunkSeqHasNoGaps: Rule<Timestamps> = {
  id: 'chunk-seq-has-no-gaps',
  judge: ({ events }) => {
    const seen = events.flatMap(({ index, chunkSeq }) =>
      chunkSeq === undefined ? [] : [{ index, chunkSeq }],
    );
    let highest = -1;
    return seen.flatMap(({ index, chunkSeq }) => {
      const isNext = chunkSeq <= highest + 1 && chunkSeq >= 0;
      const expected = highest + 1;
      highest = Math.max(highest, chunkSeq);
      return unless(isNext, {
        message: `Event ${index} is about chunk ${chunkSeq}; no event was about chunk ${expected}.`,
        where: `event ${index} /chunk_seq`,
        expected: `at most ${expected}`,
        actual: String(chunkSeq),
      });
    });
  },
};
