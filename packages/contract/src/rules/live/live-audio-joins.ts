import type { Problem, Rule } from '../../judge/rule.ts';
import type { LiveSession } from '../../subjects/live-session.ts';

export const liveAudioJoins: Rule<LiveSession> = {
  id: 'live-audio-joins',
  judge: ({ turns }) => {
    const finished = turns.filter((turn) => turn.finished === 'stop');
    if (finished.length === 0) return undefined;
    return finished.flatMap(({ pieces, audio, asked }): Problem[] => {
      const empty = pieces.find(({ bytes }) => bytes.length === 0);
      if (empty !== undefined)
        return [
          {
            message: `Message ${empty.index} is a piece of audio without bytes.`,
            where: `message ${empty.index} /audio`,
          },
        ];
      if (pieces.length === 0)
        return asked?.letters === 0 ? [] : [{ message: 'The session is finished, and no audio came.' }];
      if (audio === undefined) return [];
      if ('failure' in audio.inspected)
        return [{ message: `The joined audio can't be decoded: ${audio.inspected.failure}.` }];
      const { format, described, damage, cut, samples } = audio.inspected.facts;
      if (asked !== undefined && format !== asked.format)
        return [
          {
            message: `The joined audio is ${described}, not ${asked.format}.`,
            expected: asked.format,
            actual: described,
          },
        ];
      if (samples === 0 && asked?.letters !== 0)
        return [{ message: `The joined audio is ${described} without a single sample.` }];
      return [...damage.slice(0, 1), ...(cut === undefined ? [] : [cut])].map(({ message, byte }) => ({
        message: `The joined audio is not complete: ${message}.`,
        where: `byte ${byte}`,
      }));
    });
  },
};
