import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedTranscription } from '../../subjects/transcription.ts';

export const timedSegmentsWhenAsked: Rule<JudgedTranscription> = {
  id: 'timed-segments-when-asked',
  judge: ({ asked, segments, text }) => {
    if (segments === undefined || !isFalse(asked?.ignore_timestamps)) return undefined;
    const isSaid = text !== undefined && text.trim() !== '';
    return unless(!isSaid || segments.length > 0, {
      message: 'Timed segments were asked for with ignore_timestamps false, and there are none.',
      where: '/segments',
    });
  },
};

/** Forms have no booleans, only words. */
function isFalse(value: unknown): boolean {
  return value === false || value === 'false';
}
