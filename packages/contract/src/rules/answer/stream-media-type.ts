import { mediaTypes } from '@speech-api/types';
import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';

export const streamMediaType: Rule<Answer> = {
  id: 'stream-media-type',
  judge: ({ operation, isSuccess, mediaType }) => {
    if (operation?.id !== 'streamSpeechWithTimestamps' || !isSuccess) return undefined;
    return unless(mediaType === mediaTypes.eventStream, {
      message: `The stream is called ${mediaType === '' ? 'nothing' : mediaType}, not ${mediaTypes.eventStream}.`,
      where: 'header content-type',
      expected: mediaTypes.eventStream,
      actual: mediaType ?? 'no media type',
    });
  },
};
