import type { Rule } from '../../judge/rule.ts';
import type { JudgedTranscription } from '../../subjects/transcription.ts';
import { disorderOf } from '../segments-problem.ts';

export const transcriptionSegmentsInOrder: Rule<JudgedTranscription> = {
  id: 'transcription-segments-in-order',
  judge: ({ segments }) => {
    if (segments === undefined) return undefined;
    const disorder = disorderOf(segments);
    return disorder === undefined
      ? []
      : [{ message: `The ${disorder.message}.`, where: `/segments/${disorder.index}` }];
  },
};
