import { transcriptionDefaults } from '@speech-api/types';
import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedTranscription } from '../../subjects/transcription.ts';

export const noSegmentsUnlessAsked: Rule<JudgedTranscription> = {
  id: 'no-segments-unless-asked',
  judge: ({ asked, segments }) => {
    if (segments === undefined || asked === undefined) return undefined;
    const { ignore_timestamps: ignores = transcriptionDefaults.ignore_timestamps } = asked;
    if (ignores === false || ignores === 'false') return undefined;
    return unless(segments.length === 0, {
      message: `Timestamps are ignored, and there are ${segments.length} segments.`,
      where: '/segments',
      expected: '[]',
    });
  },
};
