import { type Rule, unless } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const noEndMarker: Rule<Timestamps> = {
  id: 'no-end-marker',
  judge: ({ raw }) => unless(!raw.hasEndMarker, { message: 'The stream ends with a marker, [DONE].' }),
};
