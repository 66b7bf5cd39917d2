import { transcriptionDefaults } from '@speech-api/types';
import { type Rules, unless } from '../problem.ts';
import { beyond, disorderOf } from '../subjects/timestamps.ts';
import type { JudgedTranscription } from '../subjects/transcription.ts';

export const transcriptionRules: Rules<JudgedTranscription> = {
  'transcription-duration-unit': ({ duration, segments = [], audioSeconds }, limit) => {
    if (duration === undefined || audioSeconds === undefined || audioSeconds === 0) return undefined;
    const ratio = duration / audioSeconds;
    const late = beyond(segments, audioSeconds * limit('times'));
    return [
      ...unless(ratio < limit('times') && ratio > 1 / limit('times'), {
        message: `The duration is ${duration}, and the audio lasts ${audioSeconds.toFixed(3)} seconds.`,
        where: '/duration',
        expected: audioSeconds.toFixed(3),
        actual: String(duration),
      }),
      ...unless(late === undefined, {
        message: `Segment ${late} ends at ${segments[late ?? 0]?.end}, and the audio lasts ${audioSeconds.toFixed(3)} seconds.`,
        where: `/segments/${late}/end`,
        expected: `at most ${audioSeconds.toFixed(3)}`,
        actual: String(segments[late ?? 0]?.end),
      }),
    ];
  },

  'transcription-duration': ({ duration, audioSeconds }, limit) => {
    if (duration === undefined || audioSeconds === undefined) return undefined;
    const tolerance = limit('tolerance_seconds') + audioSeconds * limit('tolerance_share');
    return unless(Math.abs(duration - audioSeconds) <= tolerance, {
      message: `The duration is ${duration} seconds, the audio lasts ${audioSeconds.toFixed(3)}.`,
      where: '/duration',
      expected: audioSeconds.toFixed(3),
      actual: String(duration),
    });
  },

  'transcription-segments-in-order': ({ segments }) => {
    if (segments === undefined) return undefined;
    const disorder = disorderOf(segments);
    return disorder === undefined
      ? []
      : [{ message: `The ${disorder.message}.`, where: `/segments/${disorder.index}` }];
  },

  'transcription-segments-inside': ({ segments, duration }, limit) => {
    if (segments === undefined || duration === undefined) return undefined;
    const index = beyond(segments, duration + limit('tolerance_seconds'));
    if (index === undefined) return [];
    const end = segments[index]?.end;
    return [
      {
        message: `Segment ${index} ends at ${end}, after the duration of ${duration}.`,
        where: `/segments/${index}/end`,
        expected: `at most ${duration}`,
        actual: String(end),
      },
    ];
  },

  'timed-segments-when-asked': ({ asked, segments, text }) => {
    if (segments === undefined || !isFalse(asked?.ignore_timestamps)) return undefined;
    const isSaid = text !== undefined && text.trim() !== '';
    return unless(!isSaid || segments.length > 0, {
      message: 'Timed segments were asked for with ignore_timestamps false, and there are none.',
      where: '/segments',
    });
  },

  'no-segments-unless-asked': ({ asked, segments }) => {
    if (segments === undefined || asked === undefined) return undefined;
    const { ignore_timestamps: ignores = transcriptionDefaults.ignore_timestamps } = asked;
    if (ignores === false || ignores === 'false') return undefined;
    return unless(segments.length === 0, {
      message: `Timestamps are ignored, and there are ${segments.length} segments.`,
      where: '/segments',
      expected: '[]',
    });
  },
};

/** Forms have no booleans, only words. */
function isFalse(value: unknown): boolean {
  return value === false || value === 'false';
}
