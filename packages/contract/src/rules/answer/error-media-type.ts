import { mediaTypes } from '@speech-api/types';
import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';

export const errorMediaType: Rule<Answer> = {
  id: 'error-media-type',
  judge: ({ status, mediaType, body }) => {
    if (status < 400 || body.length === 0) return undefined;
    return unless(mediaType === mediaTypes.json, {
      message: `The body of a ${status} is called ${mediaType === '' ? 'nothing' : mediaType}, not ${mediaTypes.json}.`,
      where: 'header content-type',
      expected: mediaTypes.json,
      actual: mediaType ?? 'no media type',
    });
  },
};
