import { type Rule, unless } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const chunkSeqDoesNotDecrease: Rule<Timestamps> = {
  id: 'chunk-seq-does-not-decrease',
  judge: ({ events }) => {
    let last: number | undefined;
    return events.flatMap(({ index, chunkSeq }) => {
      if (chunkSeq === undefined) return [];
      const before = last;
      last = chunkSeq;
      return unless(before === undefined || chunkSeq >= before, {
        message: `chunk_seq falls from ${before} to ${chunkSeq} at event ${index}.`,
        where: `event ${index} /chunk_seq`,
        expected: `at least ${before}`,
        actual: String(chunkSeq),
      });
    });
  },
};
