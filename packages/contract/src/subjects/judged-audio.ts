import {
  audioFormats,
  audioMediaTypes,
  defaultSampleRates,
  prosodyDefaults,
  synthesisDefaults,
} from '@speech-api/types';
import type { AudioFacts, ExpectedAudio } from '../audio/audio-facts.ts';
import { inspect } from '../audio/inspect.ts';
import { isObject } from '../specification/document.ts';

/** The result of decoding: facts, or the reason for having none. */
type Inspected = { readonly facts: AudioFacts } | { readonly failure: string };

/** Generated audio, joined, with the result of decoding it. */
export interface JudgedAudio {
  readonly bytes: Uint8Array;
  readonly inspected: Inspected;
  /** Undefined if the request is unknown. */
  readonly asked: AskedAudio | undefined;
}

/** Decodes audio; the requested format is only used if the bytes do not show it. */
export async function readAudio(
  bytes: Uint8Array,
  request?: AskedAudio,
  mediaType?: string,
): Promise<JudgedAudio> {
  const usual = { format: 'mp3', sampleRate: 44_100 } as const;
  const { format, sampleRate } = request ?? formatOfMediaType(mediaType) ?? usual;
  const inspected = await inspect(bytes, { format, sampleRate }).then(
    (facts): Inspected => ({ facts }),
    (error: unknown): Inspected => ({ failure: `the decoder failed: ${String(error)}` }),
  );
  return { bytes, inspected, asked: request };
}

/** The facts of audio that is in one of the four formats. */
export function factsOf({ inspected }: JudgedAudio): AudioFacts | undefined {
  return 'facts' in inspected && inspected.facts.format !== 'other' ? inspected.facts : undefined;
}

/** The audio that a synthesis request asked for, with defaults applied. */
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

/** Undefined if the request cannot be read or has an unknown format. */
export function readAskedAudio(request: unknown, laterText = ''): AskedAudio | undefined {
  if (!isObject(request)) return undefined;
  const format = audioFormats.find((name) => name === (request.format ?? synthesisDefaults.format));
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

/** The format by media type, if the request is unknown. */
function formatOfMediaType(mediaType: string | undefined): ExpectedAudio | undefined {
  const format = audioFormats.find((name) => audioMediaTypes[name] === mediaType);
  return format && { format, sampleRate: defaultSampleRates[format] };
}

/** Letters and digits without tags of speakers and expressions. */
export function countLetters(text: string): number {
  const spoken = text.replace(/<\|[^|]*\|>|\([^()]*\)|\[[^[\]]*\]/g, '');
  return [...spoken].filter((character) => /[\p{L}\p{N}]/u.test(character)).length;
}

export function numberOr<Otherwise>(value: unknown, otherwise: Otherwise): number | Otherwise {
  return typeof value === 'number' ? value : otherwise;
}
