import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';
import { factsOf } from '../../subjects/judged-audio.ts';

export const audioNotSilent: Rule<JudgedAudio> = {
  id: 'audio-not-silent',
  judge: (audio) => {
    const { peak, samples } = factsOf(audio) ?? {};
    if (peak === undefined || samples === 0 || audio.asked?.letters === 0) return undefined;
    return unless(peak > quietest, {
      message: `The audio is silent: its loudest sample is ${peak.toFixed(4)} of 1.`,
    });
  },
};

/** Of full scale, 50 decibels below it: speech that nobody hears. */
const quietest = 0.003;
