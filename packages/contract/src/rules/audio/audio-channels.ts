import { audioChannels as channelsOfFormat } from '@speech-api/types';
import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';
import { factsOf } from '../../subjects/judged-audio.ts';

export const audioChannels: Rule<JudgedAudio> = {
  id: 'audio-channels',
  judge: (audio) => {
    const found = factsOf(audio);
    if (found === undefined || found.format === 'other') return undefined;
    const expected = channelsOfFormat[found.format];
    const channels = found.looksPaired === true ? 2 : found.channels;
    return unless(channels === undefined || channels === expected, {
      message: `The audio has ${channels} channels, not ${expected}.`,
      expected: String(expected),
      actual: String(channels),
    });
  },
};
