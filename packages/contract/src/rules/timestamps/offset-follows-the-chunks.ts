import { type Rule, unless } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';
import { wholeSnapshots } from '../../subjects/timestamps.ts';

export const offsetFollowsTheChunks: Rule<Timestamps> = {
  id: 'offset-follows-the-chunks',
  judge: ({ events, isWhole }) => {
    const snapshots = wholeSnapshots(events);
    const first = events.find(({ offset }) => offset !== undefined);
    if (first?.offset === undefined || !isWhole) return undefined;
    const start = unless(Math.abs(first.offset) <= tolerance, {
      message: `The first text chunk starts at ${first.offset} seconds, not at zero.`,
      where: `event ${first.index} /chunk_audio_offset_sec`,
      expected: '0',
      actual: String(first.offset),
    });
    const later = snapshots.flatMap(({ chunkSeq, offset, index }, position) => {
      const before = snapshots[position - 1];
      // Where a snapshot is missing between them nothing can be said.
      if (before === undefined || before.chunkSeq !== chunkSeq - 1) return [];
      const expected = before.offset + before.alignment.duration;
      return unless(Math.abs(offset - expected) <= tolerance, {
        message: `Chunk ${chunkSeq} starts at ${offset} seconds; the one before it ends at ${expected.toFixed(3)}.`,
        where: `event ${index} /chunk_audio_offset_sec`,
        expected: expected.toFixed(3),
        actual: String(offset),
      });
    });
    return [...start, ...later];
  },
};

/** Seconds. */
const tolerance = 0.1;
