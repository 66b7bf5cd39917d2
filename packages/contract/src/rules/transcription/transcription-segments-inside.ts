import type { Rule } from '../../judge/rule.ts';
import type { JudgedTranscription } from '../../subjects/transcription.ts';
import { beyond } from '../segments-problem.ts';

export const transcriptionSegmentsInside: Rule<JudgedTranscription> = {
  id: 'transcription-segments-inside',
  judge: ({ segments, duration }) => {
    if (segments === undefined || duration === undefined) return undefined;
    const index = beyond(segments, duration);
    if (index === undefined) return [];
    const end = segments[index]?.end;
    return [
      {
        message: `Segment ${index} ends at ${end}, after the duration of ${duration}.`,
        where: `/segments/${index}/end`,
        expected: `at most ${duration}`,
        actual: String(end),
      },
    ];
  },
};
