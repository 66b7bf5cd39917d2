import { bitsPerSample, audioChannels as channelsOfFormat, sampleRates } from '@speech-api/types';
import { type Rules, unless } from '../problem.ts';
import { factsOf, type JudgedAudio } from '../subjects/judged-audio.ts';

export const audioRules: Rules<JudgedAudio> = {
  'audio-format': ({ inspected, asked, bytes }) => {
    if (asked === undefined || !('facts' in inspected) || bytes.length === 0) return undefined;
    const { format, described } = inspected.facts;
    return unless(format === asked.format, {
      message: `The audio was asked for as ${asked.format} and is ${described}.`,
      where: 'byte 0',
      expected: asked.format,
      actual: described,
    });
  },

  'audio-decodes': ({ inspected, bytes }) => {
    if ('failure' in inspected) return [{ message: `The audio can't be decoded: ${inspected.failure}.` }];
    const { format, described, damage } = inspected.facts;
    if (format === 'other') {
      // Another rule reports that there is no audio.
      return bytes.length === 0
        ? undefined
        : [{ message: `The audio can't be decoded: it is ${described}.`, where: 'byte 0' }];
    }
    // One damaged place leads to others.
    return damage.slice(0, 1).map(({ message, byte }) => ({
      message: `The audio is damaged: ${message}${damage.length > 1 ? `, and ${damage.length - 1} more` : ''}.`,
      where: `byte ${byte}`,
    }));
  },

  'audio-ends-whole': (audio) => {
    const facts = factsOf(audio);
    if (facts === undefined) return undefined;
    const { cut } = facts;
    return cut === undefined
      ? []
      : [{ message: `The audio does not end whole: ${cut.message}.`, where: `byte ${cut.byte}` }];
  },

  'audio-sample-rate': (audio) => {
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

  'audio-rate-of-format': (audio) => {
    const { sampleRate, format } = factsOf(audio) ?? {};
    if (sampleRate === undefined || format === undefined || format === 'other' || format === 'pcm')
      return undefined;
    const rates: readonly number[] = sampleRates[format];
    return unless(rates.includes(sampleRate), {
      message: `${format} of ${sampleRate} Hz is none of the contract.`,
      expected: `${rates.join(', ')} Hz`,
      actual: `${sampleRate} Hz`,
    });
  },

  'audio-channels': (audio) => {
    const found = factsOf(audio);
    if (found === undefined || found.format === 'other') return undefined;
    const expected = channelsOfFormat[found.format];
    const channels = found.looksPaired === true ? 2 : found.channels;
    return unless(channels === undefined || channels === expected, {
      message: `The audio has ${channels} channels, not ${expected}.`,
      expected: String(expected),
      actual: String(channels),
    });
  },

  'audio-sample-size': (audio) => {
    const { bitsPerSample: bits, format } = factsOf(audio) ?? {};
    if (bits === undefined || format !== 'wav') return undefined;
    return unless(bits === bitsPerSample[format], {
      message: `The samples have ${bits} bits, not ${bitsPerSample[format]}.`,
      expected: String(bitsPerSample[format]),
      actual: String(bits),
    });
  },

  'pcm-byte-order': (audio) => {
    const { looksByteSwapped } = factsOf(audio) ?? {};
    if (looksByteSwapped === undefined) return undefined;
    return unless(!looksByteSwapped, {
      message: 'The samples make sense only with their bytes swapped.',
      expected: 'little-endian',
      actual: 'big-endian',
    });
  },

  'mp3-bitrate': (audio) => {
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

  'opus-bitrate': (audio, limit) => {
    const { bitsPerSecond, seconds = 0 } = factsOf(audio) ?? {};
    const { asked } = audio;
    if (bitsPerSecond === undefined || asked?.format !== 'opus' || asked.opusBitrate < 0) return undefined;
    if (seconds < limit('seconds_at_least')) return undefined;
    return unless(bitsPerSecond <= asked.opusBitrate * limit('times_the_bitrate'), {
      message: `The audio takes ${Math.round(bitsPerSecond)} bits per second, ${asked.opusBitrate} were asked for.`,
      expected: `${asked.opusBitrate} bps`,
      actual: `${Math.round(bitsPerSecond)} bps`,
    });
  },

  'audio-not-empty': ({ inspected, bytes, asked }) => {
    if (!('facts' in inspected) || asked?.letters === 0) return undefined;
    if (inspected.facts.format === 'other' && bytes.length > 0) return undefined;
    return unless(inspected.facts.samples > 0, {
      message: `The audio has ${bytes.length} bytes and no sample.`,
    });
  },

  'audio-not-silent': (audio, limit) => {
    const { peak, samples } = factsOf(audio) ?? {};
    if (peak === undefined || samples === 0 || audio.asked?.letters === 0) return undefined;
    return unless(peak > limit('peak_above'), {
      message: `The audio is silent: its loudest sample is ${peak.toFixed(4)} of 1.`,
    });
  },

  'audio-length-plausible': (audio, limit) => {
    const { seconds } = factsOf(audio) ?? {};
    const { asked } = audio;
    if (seconds === undefined || seconds === 0 || asked === undefined || asked.letters === 0)
      return undefined;
    const tolerance = limit('tolerance_seconds');
    const minimum = (limit('seconds_a_letter_minimum') * asked.letters) / asked.speed - tolerance;
    const maximum = (limit('seconds_a_letter_maximum') * asked.letters) / asked.speed + tolerance;
    return unless(seconds >= minimum && seconds <= maximum, {
      message: `${asked.letters} letters take ${seconds.toFixed(2)} seconds at speed ${asked.speed}.`,
      expected: `${Math.max(0, minimum).toFixed(1)} to ${maximum.toFixed(1)} seconds`,
      actual: `${seconds.toFixed(2)} seconds`,
    });
  },

  'wav-header-sizes': (audio) => {
    const found = factsOf(audio);
    if (found?.format !== 'wav') return undefined;
    const { wrongSize } = found;
    return wrongSize === undefined
      ? []
      : [
          {
            message: `A size in the header is wrong: ${wrongSize.message}.`,
            where: `byte ${wrongSize.byte}`,
          },
        ];
  },
};
