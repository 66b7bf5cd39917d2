import { type Rules, unless } from '../problem.ts';
import { asObject } from '../specification/document.ts';
import type { ExchangeGroup } from '../subjects/exchange-group.ts';
import { readAskedAudio } from '../subjects/judged-audio.ts';

/** Rules about the audio of several requests that differ in one thing. */
export const speechComparisons: Rules<ExchangeGroup> = {
  'speed-changes-the-length': ({ relation, members }, limit) => {
    if (relation !== 'speech') return undefined;
    const [slow, fast] = ['slow', 'fast'].map((role) =>
      members.find(({ membership }) => membership.role === role),
    );
    if (slow?.seconds === undefined || !fast?.seconds) return undefined;
    const times = slow.seconds / fast.seconds;
    return unless(times >= limit('times_at_least'), {
      exchange: fast.exchange,
      message: `The text lasts ${slow.seconds.toFixed(2)} seconds at the lowest speed and ${fast.seconds.toFixed(2)} at the highest.`,
      expected: `at least ${limit('times_at_least')} times as long`,
      actual: `${times.toFixed(2)} times`,
    });
  },

  'bitrate-changes-the-size': ({ relation, members }, limit) => {
    if (relation !== 'speech') return undefined;
    const [low, high] = ['low-bitrate', 'high-bitrate'].map((role) =>
      members.find(({ membership }) => membership.role === role),
    );
    if (!low?.bitsPerSecond || high?.bitsPerSecond === undefined) return undefined;
    const times = high.bitsPerSecond / low.bitsPerSecond;
    return unless(times >= limit('times_at_least'), {
      exchange: high.exchange,
      message: `The text takes ${Math.round(low.bitsPerSecond)} bits per second at the lowest bitrate and ${Math.round(high.bitsPerSecond)} at the highest.`,
      expected: `at least ${limit('times_at_least')} times as many`,
      actual: `${times.toFixed(2)} times`,
    });
  },

  'volume-changes-the-loudness': ({ relation, members }, limit) => {
    if (relation !== 'speech') return undefined;
    const [usual, quiet] = ['slow', 'fast'].map((role) =>
      members.find(({ membership }) => membership.role === role),
    );
    const volume = asObject(asObject(asObject(quiet?.answer?.asked.body).prosody)).volume;
    if (typeof volume !== 'number' || volume >= 0 || !usual?.peak || quiet?.peak === undefined)
      return undefined;
    const times = quiet.peak / usual.peak;
    return unless(times <= limit('times_at_most'), {
      exchange: quiet.exchange,
      message: `At the volume ${volume} the loudest sample is ${quiet.peak.toFixed(3)}, and without it ${usual.peak.toFixed(3)}.`,
      expected: `at most ${limit('times_at_most')} times as loud`,
      actual: `${times.toFixed(2)} times`,
    });
  },

  'speech-lasts-the-same': ({ relation, members }, limit) => {
    if (relation !== 'speech') return undefined;
    const same = members.filter(
      ({ membership, seconds = 0 }) => membership.role === undefined && seconds > 0,
    );
    const [shortest, ...others] = same.toSorted((one, other) => (one.seconds ?? 0) - (other.seconds ?? 0));
    if (shortest?.seconds === undefined || others.length === 0) return undefined;
    const maximum = shortest.seconds * limit('times_at_most');
    return others.flatMap(({ exchange, seconds = 0 }) =>
      unless(seconds <= maximum, {
        exchange,
        message: `"${exchange.name}" lasts ${seconds.toFixed(2)} seconds and "${shortest.exchange.name}" ${shortest.seconds?.toFixed(2)}, with the same text.`,
        expected: `at most ${maximum.toFixed(2)} seconds`,
        actual: `${seconds.toFixed(2)} seconds`,
      }),
    );
  },

  'other-text-sounds-different': ({ relation, members }, limit) => {
    if (relation !== 'texts') return undefined;
    const spoken = members.flatMap(({ exchange, answer, fingerprint, seconds = 0 }) => {
      const letters = readAskedAudio(answer?.asked.body)?.letters ?? 0;
      return letters > 0 && seconds > 0 ? [{ exchange, fingerprint, letters }] : [];
    });
    const isLonger = (one: { letters: number }, other: { letters: number }) =>
      one.letters >= other.letters * limit('times_the_letters');
    const pairs = spoken.flatMap((long) =>
      spoken.filter((short) => isLonger(long, short)).map((short) => ({ long, short })),
    );
    if (pairs.length === 0) return undefined;
    const same = pairs.find(({ long, short }) => long.fingerprint === short.fingerprint);
    return same === undefined
      ? []
      : [
          {
            exchange: same.long.exchange,
            message: `"${same.short.exchange.name}" and "${same.long.exchange.name}" have the same audio, for texts of ${same.short.letters} and of ${same.long.letters} letters.`,
          },
        ];
  },
};
