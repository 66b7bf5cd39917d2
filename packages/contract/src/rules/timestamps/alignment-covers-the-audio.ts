import { type Rule, unless } from '../../judge/rule.ts';
import { factsOf } from '../../subjects/judged-audio.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';
import { wholeSnapshots } from '../../subjects/timestamps.ts';

export const alignmentCoversTheAudio: Rule<Timestamps> = {
  id: 'alignment-covers-the-audio',
  judge: ({ events, audio, isWhole }) => {
    const last = wholeSnapshots(events).at(-1);
    const facts = audio === undefined ? undefined : factsOf(audio);
    const newest = Math.max(...events.map(({ chunkSeq }) => chunkSeq ?? 0));
    if (last === undefined || facts === undefined || !isWhole || last.chunkSeq !== newest) return undefined;
    const told = last.offset + last.alignment.duration;
    return unless(Math.abs(facts.seconds - told) <= tolerance, {
      message: `The joined audio lasts ${facts.seconds.toFixed(3)} seconds; the last text chunk ends at ${told.toFixed(3)}.`,
      where: `event ${last.index} /alignment/audio_duration`,
      expected: told.toFixed(3),
      actual: facts.seconds.toFixed(3),
    });
  },
};

/** Seconds: encoders fill up their last frame. */
const tolerance = 0.25;
