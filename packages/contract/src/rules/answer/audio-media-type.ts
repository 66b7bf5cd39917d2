import { audioMediaTypes } from '@speech-api/types';
import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { readAskedAudio } from '../../subjects/asked-audio.ts';

export const audioMediaType: Rule<Answer> = {
  id: 'audio-media-type',
  judge: ({ operation, isSuccess, mediaType, asked }) => {
    if (operation?.id !== 'createSpeech' || !isSuccess) return undefined;
    const audio = readAskedAudio(asked.body);
    if (audio === undefined) return undefined;
    const expected = audioMediaTypes[audio.format];
    return unless(mediaType === expected || mediaType === 'application/octet-stream', {
      message: `Audio that was asked for as ${audio.format} is called ${mediaType === '' ? 'nothing' : mediaType}, not ${expected}.`,
      where: 'header content-type',
      expected,
      actual: mediaType ?? 'no media type',
    });
  },
};
