import type { Answer } from '../../answer/answer.ts';
import { isTextType } from '../../answer/media-type.ts';
import { type Rule, unless } from '../../judge/rule.ts';

export const audioIsNotText: Rule<Answer> = {
  id: 'audio-is-not-text',
  judge: ({ operation, isSuccess, mediaType }) => {
    if (operation?.id !== 'createSpeech' || !isSuccess) return undefined;
    return unless(mediaType === undefined || !isTextType(mediaType), {
      message: `Generated audio is called ${mediaType}.`,
      where: 'header content-type',
      expected: 'a type of audio',
      actual: mediaType ?? '',
    });
  },
};
