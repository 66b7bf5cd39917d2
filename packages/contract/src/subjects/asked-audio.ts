import {
  audioFormats,
  audioMediaTypes,
  defaultSampleRates,
  prosodyDefaults,
  synthesisDefaults,
} from '@speech-api/types';
import type { ExpectedAudio } from '../audio/audio-facts.ts';
import { isObject } from '../specification/document.ts';

/** What a synthesis request asked for, its defaults filled in. */
export interface AskedAudio extends ExpectedAudio {
  /** kbps. */
  readonly mp3Bitrate: number;
  /** bps; negative for automatic. */
  readonly opusBitrate: number;
  readonly speed: number;
  readonly text: string;
  /** Codepoints of `text` that are letters or digits, without tags of speakers and expressions. */
  readonly letters: number;
}

/** `undefined` when the request can't be read or asks for a format that there is none of. */
export function readAskedAudio(request: unknown, laterText = ''): AskedAudio | undefined {
  if (!isObject(request)) return undefined;
  const format = audioFormats.find((each) => each === (request.format ?? synthesisDefaults.format));
  if (format === undefined || typeof request.text !== 'string') return undefined;
  const prosody = isObject(request.prosody) ? request.prosody : {};
  const text = request.text + laterText;
  return {
    format,
    sampleRate: numberOr(request.sample_rate, defaultSampleRates[format]),
    mp3Bitrate: numberOr(request.mp3_bitrate, synthesisDefaults.mp3_bitrate),
    opusBitrate: numberOr(request.opus_bitrate, synthesisDefaults.opus_bitrate),
    speed: numberOr(prosody.speed, prosodyDefaults.speed),
    text,
    letters: countLetters(text),
  };
}

/** The format an answer is called by, where the request is not known. */
export function formatOfMediaType(mediaType: string | undefined): ExpectedAudio | undefined {
  const format = audioFormats.find((each) => audioMediaTypes[each] === mediaType);
  return format && { format, sampleRate: defaultSampleRates[format] };
}

/** Letters and digits, without the tags that direct how they are spoken. */
export function countLetters(text: string): number {
  const spoken = text.replace(/<\|[^|]*\|>|\([^()]*\)|\[[^[\]]*\]/g, '');
  return [...spoken].filter((character) => /[\p{L}\p{N}]/u.test(character)).length;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
