import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedAudio } from '../../subjects/judged-audio.ts';
import { factsOf } from '../../subjects/judged-audio.ts';

export const mp3Bitrate: Rule<JudgedAudio> = {
  id: 'mp3-bitrate',
  judge: (audio) => {
    const { frameBitrates } = factsOf(audio) ?? {};
    if (frameBitrates === undefined || audio.asked?.format !== 'mp3') return undefined;
    const expected = audio.asked.mp3Bitrate;
    return unless(
      frameBitrates.every((kbps) => kbps === expected),
      {
        message: `The frames have ${frameBitrates.join(', ')} kbps, not ${expected}.`,
        expected: `${expected} kbps`,
        actual: `${frameBitrates.join(', ')} kbps`,
      },
    );
  },
};
