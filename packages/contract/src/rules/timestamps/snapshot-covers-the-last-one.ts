import { type Rule, unless } from '../../judge/rule.ts';
import type { TimedAlignment, Timestamps } from '../../subjects/timestamps.ts';

export const snapshotCoversTheLastOne: Rule<Timestamps> = {
  id: 'snapshot-covers-the-last-one',
  judge: ({ events }) => {
    const latest = new Map<number, TimedAlignment>();
    return events.flatMap(({ index, chunkSeq, alignment }) => {
      if (chunkSeq === undefined || !alignment) return [];
      const before = latest.get(chunkSeq);
      latest.set(chunkSeq, alignment);
      if (before === undefined) return [];
      const isCovered =
        alignment.segments.length >= before.segments.length && alignment.duration >= before.duration;
      return unless(isCovered, {
        message: `The snapshot of event ${index} has ${alignment.segments.length} segments over ${alignment.duration} seconds; the one before it had ${before.segments.length} over ${before.duration}.`,
        where: `event ${index} /alignment`,
      });
    });
  },
};
