import { type Rule, unless } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const offsetDoesNotDecrease: Rule<Timestamps> = {
  id: 'offset-does-not-decrease',
  judge: ({ events }) => {
    let last: number | undefined;
    return events.flatMap(({ index, offset }) => {
      if (offset === undefined) return [];
      const before = last;
      last = offset;
      return unless(before === undefined || offset >= before, {
        message: `chunk_audio_offset_sec falls from ${before} to ${offset} at event ${index}.`,
        where: `event ${index} /chunk_audio_offset_sec`,
        expected: `at least ${before}`,
        actual: String(offset),
      });
    });
  },
};
