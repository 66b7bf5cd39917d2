import { type Rule, unless } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const everyEventCarriesAudio: Rule<Timestamps> = {
  id: 'every-event-carries-audio',
  judge: ({ events }) =>
    events.flatMap(({ index, base64, audio }) => {
      // A field that is missing or no string is told by the rules of fields.
      if (base64 === undefined) return [];
      const where = `event ${index} /audio_base64`;
      if (audio === undefined)
        return [{ message: `The audio of event ${index} is no base64 (standard alphabet, padded).`, where }];
      return unless(audio.length > 0, { message: `Event ${index} carries no audio.`, where });
    }),
};
