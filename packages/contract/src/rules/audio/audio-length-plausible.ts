import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';
import { factsOf } from '../../subjects/judged-audio.ts';

export const audioLengthPlausible: Rule<JudgedAudio> = {
  id: 'audio-length-plausible',
  judge: (audio) => {
    const { seconds } = factsOf(audio) ?? {};
    const { asked } = audio;
    if (seconds === undefined || seconds === 0 || asked === undefined || asked.letters === 0)
      return undefined;
    const least = (0.015 * asked.letters) / asked.speed - 2;
    const most = (0.8 * asked.letters) / asked.speed + 2;
    return unless(seconds >= least && seconds <= most, {
      message: `${asked.letters} letters take ${seconds.toFixed(2)} seconds at speed ${asked.speed}.`,
      expected: `${Math.max(0, least).toFixed(1)} to ${most.toFixed(1)} seconds`,
      actual: `${seconds.toFixed(2)} seconds`,
    });
  },
};
