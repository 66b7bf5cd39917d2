import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';
import { factsOf } from '../../subjects/judged-audio.ts';

export const audioSampleRate: Rule<JudgedAudio> = {
  id: 'audio-sample-rate',
  judge: (audio) => {
    const { sampleRate, format } = factsOf(audio) ?? {};
    // Samples without a head have no rate, and every decoder plays Opus at the same one.
    if (
      sampleRate === undefined ||
      format === 'pcm' ||
      audio.asked === undefined ||
      format !== audio.asked.format
    )
      return undefined;
    return unless(sampleRate === audio.asked.sampleRate, {
      message: `The audio has ${sampleRate} Hz, not ${audio.asked.sampleRate} Hz.`,
      expected: `${audio.asked.sampleRate} Hz`,
      actual: `${sampleRate} Hz`,
    });
  },
};
