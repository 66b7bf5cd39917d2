import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';
import { factsOf } from '../../subjects/judged-audio.ts';

export const opusBitrate: Rule<JudgedAudio> = {
  id: 'opus-bitrate',
  judge: (audio) => {
    const { bitsPerSecond, seconds = 0 } = factsOf(audio) ?? {};
    const { asked } = audio;
    if (bitsPerSecond === undefined || asked?.format !== 'opus' || asked.opusBitrate < 0 || seconds < 1)
      return undefined;
    return unless(bitsPerSecond <= asked.opusBitrate * 1.5, {
      message: `The audio takes ${Math.round(bitsPerSecond)} bits per second, ${asked.opusBitrate} were asked for.`,
      expected: `${asked.opusBitrate} bps`,
      actual: `${Math.round(bitsPerSecond)} bps`,
    });
  },
};
