import { type Problem, type Rules, unless, type Verdict } from '../problem.ts';
import { asObject } from '../specification/document.ts';
import type { ExchangeGroup, GroupMember, Sound } from '../subjects/exchange-group.ts';
import { readAskedAudio } from '../subjects/judged-audio.ts';

/** Rules about the audio of several requests that differ in one thing. */
export const speechComparisons: Rules<ExchangeGroup> = {
  'speed-changes-the-length': (group, limit) =>
    compare(group, ['slow', 'fast'], ({ seconds: slow }, { seconds: fast }) => {
      if (fast === 0) return undefined;
      const times = slow / fast;
      return unless(times >= limit('times_at_least'), {
        message: `The text lasts ${slow.toFixed(2)} seconds at the lowest speed and ${fast.toFixed(2)} at the highest.`,
        expected: `at least ${limit('times_at_least')} times as long`,
        actual: `${times.toFixed(2)} times`,
        severity: times < limit('times_of_one_speed') ? 'error' : undefined,
      });
    }),

  'bitrate-changes-the-size': (group, limit) =>
    compare(group, ['low-bitrate', 'high-bitrate'], ({ bitsPerSecond: low }, { bitsPerSecond: high }) => {
      if (!low || high === undefined) return undefined;
      const times = high / low;
      return unless(times >= limit('times_at_least'), {
        message: `The text takes ${Math.round(low)} bits per second at the lowest bitrate and ${Math.round(high)} at the highest.`,
        expected: `at least ${limit('times_at_least')} times as many`,
        actual: `${times.toFixed(2)} times`,
      });
    }),

  'volume-changes-the-loudness': (group, limit) =>
    compare(group, ['slow', 'fast'], ({ peak: usual }, { peak: quiet }, { answer }) => {
      const { volume } = asObject(asObject(answer?.asked.body).prosody);
      if (typeof volume !== 'number' || volume >= 0 || usual === 0) return undefined;
      const times = quiet / usual;
      return unless(times <= limit('times_at_most'), {
        message: `At the volume ${volume} the loudest sample is ${quiet.toFixed(3)}, and without it ${usual.toFixed(3)}.`,
        expected: `at most ${limit('times_at_most')} times as loud`,
        actual: `${times.toFixed(2)} times`,
      });
    }),

  'speech-lasts-the-same': ({ relation, members }, limit) => {
    if (relation !== 'speech') return undefined;
    const [shortest, ...others] = members
      .map(({ membership: { role }, exchange, sound }) => ({ role, exchange, seconds: sound?.seconds ?? 0 }))
      .filter(({ role, seconds }) => role === undefined && seconds > 0)
      .toSorted((one, other) => one.seconds - other.seconds);
    if (shortest === undefined || others.length === 0) return undefined;
    const maximum = shortest.seconds * limit('times_at_most');
    return others.flatMap(({ exchange, seconds }) =>
      unless(seconds <= maximum, {
        exchange,
        message: `"${exchange.name}" lasts ${seconds.toFixed(2)} seconds and "${shortest.exchange.name}" ${shortest.seconds.toFixed(2)}, with the same text.`,
        expected: `at most ${maximum.toFixed(2)} seconds`,
        actual: `${seconds.toFixed(2)} seconds`,
      }),
    );
  },

  'other-text-sounds-different': ({ relation, members }, limit) => {
    if (relation !== 'texts') return undefined;
    const spoken = members.flatMap(({ exchange, answer, fingerprint, sound }) => {
      const letters = readAskedAudio(answer?.asked.body)?.letters ?? 0;
      return letters > 0 && sound && sound.seconds > 0 ? [{ exchange, fingerprint, letters }] : [];
    });
    const pairs = spoken.flatMap((long) =>
      spoken
        .filter((short) => long.letters >= short.letters * limit('times_the_letters'))
        .map((short) => ({ long, short })),
    );
    if (pairs.length === 0) return undefined;
    const same = pairs.find(({ long, short }) => long.fingerprint === short.fingerprint);
    if (same === undefined) return [];
    const { long, short } = same;
    const message = `"${short.exchange.name}" and "${long.exchange.name}" have the same audio, for texts of ${short.letters} and of ${long.letters} letters.`;
    return [{ exchange: long.exchange, message }];
  },
};

/** Compares the sounds of two roles; a problem is shown at the second one. */
function compare(
  { relation, members }: ExchangeGroup,
  roles: readonly [string, string],
  judge: (one: Sound, other: Sound, second: GroupMember) => Verdict,
): Verdict {
  const [one, other] = roles.map((role) => members.find(({ membership }) => membership.role === role));
  if (relation !== 'speech' || one?.sound === undefined || other?.sound === undefined) return undefined;
  const { exchange } = other;
  return judge(one.sound, other.sound, other)?.map((problem): Problem => ({ exchange, ...problem }));
}
