import { type Rule, unless } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const onlyDataLines: Rule<Timestamps> = {
  id: 'only-data-lines',
  judge: ({ raw }) =>
    unless(raw.otherLines.length === 0, {
      message: `The stream has ${raw.otherLines.length} lines that are no data.`,
      actual: (raw.otherLines[0] ?? '').slice(0, 80),
    }),
};
