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
import { given } from './given.ts';
import type { CommonOptions, Session } from './session.ts';
import { UsageError } from './usage.ts';

const usualOpusBitrate = 32_000;

/** Sound and encoding options of `speak` and `live`. */
export interface SoundOptions extends CommonOptions {
  readonly output?: string;
  readonly voice?: string;
  readonly model?: string;
  readonly format?: AudioFormat;
  readonly rate?: number;
  readonly bitrate?: number;
  readonly speed?: number;
  readonly volume?: number;
}

/** The format: the option, else the ending of the file, else the profile, else the default. */
export function formatOf(options: SoundOptions, { settings }: Session): AudioFormat {
  const ending = extname(options.output ?? '')
    .slice(1)
    .toLowerCase();
  const known = (name: string | undefined) => audioFormats.find((format) => format === name);
  const named = known(ending === 'ogg' ? 'opus' : ending);
  if (options.format !== undefined && named !== undefined && named !== options.format)
    throw new UsageError(`--format ${options.format} does not fit the file name ${options.output}.`);
  const formats = audioFormats.join(', ');
  if (options.format === undefined && ending !== '' && named === undefined)
    throw new UsageError(`"${ending}" is not an audio format. Use ${formats}, or say it with --format.`);
  const configured = settings.values.format.value;
  const fromProfile = known(configured);
  if (configured !== undefined && fromProfile === undefined)
    throw new UsageError(`format "${configured}" in the profile is unknown. Use ${formats}.`);
  return options.format ?? named ?? fromProfile ?? synthesisDefaults.format;
}

/**
 * The fields of a synthesis request for these options.
 *
 * @throws UsageError for a value that the format does not have
 */
export function soundOf(format: AudioFormat, options: SoundOptions, { settings }: Session): object {
  const { rate, bitrate, speed, volume, voice = settings.values.voice.value } = options;
  const rates: readonly number[] = sampleRates[format];
  if (rate !== undefined && !rates.includes(rate))
    throw new UsageError(`--rate ${rate} is not a rate of ${format}. Use ${rates.join(', ')}.`);
  const isMp3 = format === 'mp3';
  if (bitrate !== undefined) {
    if (!isMp3 && format !== 'opus')
      throw new UsageError(`--bitrate is for mp3 and opus, not for ${format}.`);
    const bitrates: readonly number[] = isMp3 ? mp3Bitrates : opusBitrates;
    if (!bitrates.includes(bitrate))
      throw new UsageError(`--bitrate ${bitrate} is not one of ${format}. Use ${bitrates.join(', ')}.`);
  }
  const { minimum, maximum } = synthesisRanges['prosody.speed'];
  if (speed !== undefined && !(speed >= minimum && speed <= maximum))
    throw new UsageError(`--speed ${speed} is not from ${minimum} to ${maximum}.`);
  const prosody = given({ speed, volume });
  return given({
    format,
    sample_rate: rate,
    [isMp3 ? 'mp3_bitrate' : 'opus_bitrate']: bitrate,
    prosody: Object.keys(prosody).length === 0 ? undefined : prosody,
    reference_id: voice,
  });
}

/** About how many bytes a second of this format takes. */
export function bytesPerSecond(format: AudioFormat, { rate, bitrate }: SoundOptions): number {
  if (format === 'wav' || format === 'pcm') return 2 * (rate ?? defaultSampleRates[format]);
  if (format === 'mp3') return ((bitrate ?? synthesisDefaults.mp3_bitrate) * 1000) / 8;
  // A bitrate below zero leaves the choice to the service.
  return Math.max(bitrate ?? 0, usualOpusBitrate) / 8;
}
