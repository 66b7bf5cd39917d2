import { extname } from 'node:path';
import type { AudioFormat } from '@speech-api/types';
import {
  audioFormats,
  defaultSampleRates,
  mp3Bitrates,
  opusBitrates,
  sampleRates,
  synthesisDefaults,
  synthesisRanges,
} from '@speech-api/types/constants';
import { UsageError } from './usage.ts';

const usualOpusBitrate = 32_000;

/** How generated audio sounds and is encoded: options of `speak` and `live`. */
export interface SoundOptions {
  readonly output?: string;
  readonly format?: AudioFormat;
  readonly rate?: number;
  readonly bitrate?: number;
  readonly speed?: number;
  readonly volume?: number;
}

/** The format: the option, else the ending of the file, else the profile, else the default. */
export function formatOf(options: SoundOptions, configured: string | undefined): AudioFormat {
  const ending = extname(options.output ?? '')
    .slice(1)
    .toLowerCase();
  const named = ending === 'ogg' ? 'opus' : audioFormats.find((format) => format === ending);
  if (options.format !== undefined && named !== undefined && named !== options.format) {
    throw new UsageError(`--format ${options.format} does not fit the file name ${options.output}.`);
  }
  if (options.format === undefined && ending !== '' && named === undefined) {
    throw new UsageError(
      `"${ending}" is not an audio format. Use ${audioFormats.join(', ')}, or say it with --format.`,
    );
  }
  const fromProfile = audioFormats.find((format) => format === configured);
  if (configured !== undefined && fromProfile === undefined) {
    throw new UsageError(`format "${configured}" in the profile is unknown. Use ${audioFormats.join(', ')}.`);
  }
  return options.format ?? named ?? fromProfile ?? synthesisDefaults.format;
}

/** @throws UsageError for a value that the format does not have */
export function checkSound(format: AudioFormat, { rate, bitrate, speed }: SoundOptions): void {
  const rates: readonly number[] = sampleRates[format];
  if (rate !== undefined && !rates.includes(rate))
    throw new UsageError(`--rate ${rate} is not a rate of ${format}. Use ${rates.join(', ')}.`);
  if (bitrate !== undefined) {
    if (format !== 'mp3' && format !== 'opus')
      throw new UsageError(`--bitrate is for mp3 and opus, not for ${format}.`);
    const bitrates: readonly number[] = format === 'mp3' ? mp3Bitrates : opusBitrates;
    if (!bitrates.includes(bitrate))
      throw new UsageError(`--bitrate ${bitrate} is not one of ${format}. Use ${bitrates.join(', ')}.`);
  }
  const { minimum, maximum } = synthesisRanges['prosody.speed'];
  if (speed !== undefined && !(speed >= minimum && speed <= maximum))
    throw new UsageError(`--speed ${speed} is not from ${minimum} to ${maximum}.`);
}

/** The fields of a synthesis request for these options. */
export function soundOf(format: AudioFormat, { rate, bitrate, speed, volume }: SoundOptions): object {
  const prosody = {
    ...(speed === undefined ? {} : { speed }),
    ...(volume === undefined ? {} : { volume }),
  };
  return {
    format,
    ...(rate === undefined ? {} : { sample_rate: rate }),
    ...(bitrate === undefined ? {} : format === 'mp3' ? { mp3_bitrate: bitrate } : { opus_bitrate: bitrate }),
    ...(Object.keys(prosody).length === 0 ? {} : { prosody }),
  };
}

/** About how many bytes a second of this format takes. */
export function bytesPerSecond(format: AudioFormat, { rate, bitrate }: SoundOptions): number {
  if (format === 'wav' || format === 'pcm') return 2 * (rate ?? defaultSampleRates[format]);
  if (format === 'mp3') return ((bitrate ?? synthesisDefaults.mp3_bitrate) * 1000) / 8;
  // A bitrate below zero leaves the choice to the service.
  return Math.max(bitrate ?? 0, usualOpusBitrate) / 8;
}
