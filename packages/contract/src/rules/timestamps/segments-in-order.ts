import type { Problem, Rule } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';
import { beyond, disorderOf } from '../segments-problem.ts';

export const segmentsInOrder: Rule<Timestamps> = {
  id: 'segments-in-order',
  judge: ({ events }) =>
    events.flatMap(({ index, alignment }): Problem[] => {
      if (!alignment) return [];
      const disorder = disorderOf(alignment.segments);
      const where = `event ${index} /alignment/segments`;
      if (disorder !== undefined)
        return [{ message: `In event ${index} ${disorder.message}.`, where: `${where}/${disorder.index}` }];
      const late = beyond(alignment.segments, alignment.duration);
      if (late === undefined) return [];
      return [
        {
          message: `In event ${index} segment ${late} ends at ${alignment.segments[late]?.end}, after the audio_duration of ${alignment.duration}.`,
          where: `${where}/${late}/end`,
        },
      ];
    }),
};
