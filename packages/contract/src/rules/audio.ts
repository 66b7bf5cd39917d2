import { bitsPerSample, audioChannels as channelsOfFormat, sampleRates } from '@speech-api/types';
import { type Chapter, chapter, present, unless, unlessEqual } from '../problem.ts';
import { factsOf } from '../subjects/judged-audio.ts';
import type { Reading } from '../subjects/reading.ts';

/** The whole audio of one answer. Streams and live sessions have their own rules for what is judged here. */
const whole = ({ speech }: Reading) => present(speech);

const wholeOrStreamed = ({ speech, timestamps }: Reading) =>
  present(speech, timestamps?.isWhole ? timestamps.audio : undefined);

const anyAudio = (reading: Reading) =>
  present(
    ...wholeOrStreamed(reading),
    reading.speechHead,
    ...(reading.session?.turns ?? []).map(({ audio }) => audio),
  );

const wholeAudio = chapter(whole, {
  'audio-format': ({ inspected, asked, bytes }) => {
    if (asked === undefined || !('facts' in inspected) || bytes.length === 0) return undefined;
    const { format, described } = inspected.facts;
    const message = `The audio was requested as ${asked.format} and is ${described}.`;
    const problem = { message, where: 'byte 0', expected: asked.format, actual: described };
    return unless(format === asked.format, problem);
  },

  'audio-decodes': ({ inspected, bytes }) => {
    if ('failure' in inspected) return [{ message: `The audio can't be decoded: ${inspected.failure}.` }];
    const { format, described, damage } = inspected.facts;
    if (format === 'other') {
      // Another rule reports that there is no audio.
      if (bytes.length === 0) return undefined;
      return [{ message: `The audio can't be decoded: it is ${described}.`, where: 'byte 0' }];
    }
    // One damaged place leads to others.
    const others = damage.length > 1 ? `, and ${damage.length - 1} more` : '';
    return damage.slice(0, 1).map(({ message, byte }) => ({
      message: `The audio is damaged: ${message}${others}.`,
      where: `byte ${byte}`,
    }));
  },

  'audio-ends-whole': (audio) => {
    const facts = factsOf(audio);
    if (facts?.cut === undefined) return facts && [];
    const { message, byte, severity } = facts.cut;
    return [{ message: `The audio does not end whole: ${message}.`, where: `byte ${byte}`, severity }];
  },
});

const audioWithSamples = chapter(wholeOrStreamed, {
  'audio-not-empty': ({ inspected, bytes, asked }) => {
    if (!('facts' in inspected) || asked?.letters === 0) return undefined;
    if (inspected.facts.format === 'other' && bytes.length > 0) return undefined;
    const message = `The audio has ${bytes.length} bytes and no sample.`;
    return unless(inspected.facts.samples > 0, { message });
  },
});

const everyAudio = chapter(anyAudio, {
  'audio-sample-rate': (audio) => {
    const { sampleRate, format } = factsOf(audio) ?? {};
    const { asked } = audio;
    // Samples without a head have no rate, and every decoder plays Opus at the same one.
    if (sampleRate === undefined || format === 'pcm' || asked === undefined || format !== asked.format)
      return undefined;
    const message = `The audio has ${sampleRate} Hz, not ${asked.sampleRate} Hz.`;
    return unlessEqual(`${sampleRate} Hz`, `${asked.sampleRate} Hz`, { message });
  },

  'audio-rate-of-format': (audio) => {
    const { sampleRate, format } = factsOf(audio) ?? {};
    if (sampleRate === undefined || format === undefined || format === 'other' || format === 'pcm')
      return undefined;
    // Another rule compares it with the rate that was asked for.
    if (audio.asked?.format === format) return undefined;
    const rates: readonly number[] = sampleRates[format];
    const message = `${format} at ${sampleRate} Hz is not part of the contract.`;
    const problem = { message, expected: `${rates.join(', ')} Hz`, actual: `${sampleRate} Hz` };
    return unless(rates.includes(sampleRate), problem);
  },

  'audio-channels': (audio) => {
    const found = factsOf(audio);
    if (found === undefined || found.format === 'other') return undefined;
    const expected = channelsOfFormat[found.format];
    const channels = found.looksPaired === true ? 2 : (found.channels ?? expected);
    return unlessEqual(channels, expected, {
      message: `The audio has ${channels} channels, not ${expected}.`,
    });
  },

  'audio-sample-size': (audio) => {
    const { bitsPerSample: bits, format } = factsOf(audio) ?? {};
    if (bits === undefined || format !== 'wav') return undefined;
    const expected = bitsPerSample[format];
    return unlessEqual(bits, expected, { message: `The samples have ${bits} bits, not ${expected}.` });
  },

  'pcm-byte-order': (audio) => {
    const { looksByteSwapped } = factsOf(audio) ?? {};
    if (looksByteSwapped === undefined) return undefined;
    const message = 'The samples make sense only with their bytes swapped.';
    return unless(!looksByteSwapped, { message, expected: 'little-endian', actual: 'big-endian' });
  },

  'mp3-bitrate': (audio) => {
    const { frameBitrates } = factsOf(audio) ?? {};
    if (frameBitrates === undefined || audio.asked?.format !== 'mp3') return undefined;
    const expected = audio.asked.mp3Bitrate;
    const found = frameBitrates.join(', ');
    const message = `The frames have ${found} kbps, not ${expected}.`;
    const problem = { message, expected: `${expected} kbps`, actual: `${found} kbps` };
    return unless(
      frameBitrates.every((kbps) => kbps === expected),
      problem,
    );
  },

  'opus-bitrate': (audio, limit) => {
    const { bitsPerSecond, seconds = 0 } = factsOf(audio) ?? {};
    const { asked } = audio;
    if (bitsPerSecond === undefined || asked?.format !== 'opus' || asked.opusBitrate < 0) return undefined;
    if (seconds < limit('seconds_at_least')) return undefined;
    const rate = Math.round(bitsPerSecond);
    const message = `The audio takes ${rate} bits per second; ${asked.opusBitrate} were requested.`;
    const severity =
      bitsPerSecond > asked.opusBitrate * limit('times_of_another_bitrate') ? 'error' : undefined;
    const problem = {
      message,
      expected: `${asked.opusBitrate} bps`,
      actual: `${rate} bps`,
      severity,
    } as const;
    return unless(bitsPerSecond <= asked.opusBitrate * limit('times_the_bitrate'), problem);
  },

  'audio-not-silent': (audio, limit) => {
    const { peak, samples } = factsOf(audio) ?? {};
    if (peak === undefined || samples === 0 || audio.asked?.letters === 0) return undefined;
    const message = `The audio is silent: its loudest sample is ${peak.toFixed(4)} of 1.`;
    return unless(peak > limit('peak_above'), { message });
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
    if (found.wrongSize === undefined) return [];
    const { message, byte } = found.wrongSize;
    return [{ message: `A size in the header is wrong: ${message}.`, where: `byte ${byte}` }];
  },
});

export const audioChapters: readonly Chapter<Reading>[] = [wholeAudio, audioWithSamples, everyAudio];
