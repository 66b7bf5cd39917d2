import { type Rule, unless } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const offsetBelongsToTheChunk: Rule<Timestamps> = {
  id: 'offset-belongs-to-the-chunk',
  judge: ({ events }) => {
    const offsets = new Map<number, number>();
    return events.flatMap(({ index, chunkSeq, offset }) => {
      if (chunkSeq === undefined || offset === undefined) return [];
      const first = offsets.get(chunkSeq);
      offsets.set(chunkSeq, first ?? offset);
      return unless(first === undefined || first === offset, {
        message: `Event ${index} puts chunk ${chunkSeq} at ${offset} seconds; it was at ${first} before.`,
        where: `event ${index} /chunk_audio_offset_sec`,
        expected: String(first),
        actual: String(offset),
      });
    });
  },
};
