import { bitsPerSample, defaultSampleRates, synthesisDefaults } from '@speech-api/types/constants';
import { charactersPerSecond } from './defaults.ts';
import type { LiveRequest } from './messages.ts';

/** What of an utterance was heard. */
export interface Interruption {
  /** The beginning of the text, up to a whole word. Empty before playback began. */
  readonly heard: string;
  /** Always true: the protocol does not say which word is spoken when. */
  readonly estimated: true;
  readonly playedMilliseconds: number;
}

/** Bits of a second of opus at automatic bitrate, about. */
const automaticOpusBitrate = 32_000;

/** How long so much audio is: exact for pcm, near for wav and mp3, a guess for opus at automatic bitrate. */
export function millisecondsOf(bytes: number, request: LiveRequest): number {
  const { format = synthesisDefaults.format, sample_rate, mp3_bitrate, opus_bitrate } = request;
  if (format === 'mp3') return (bytes * 8) / (mp3_bitrate ?? synthesisDefaults.mp3_bitrate);
  if (format === 'opus') {
    const bitrate = opus_bitrate && opus_bitrate > 0 ? opus_bitrate : automaticOpusBitrate;
    return (bytes * 8000) / bitrate;
  }
  return (bytes * 8000) / ((sample_rate ?? defaultSampleRates[format]) * bitsPerSample[format]);
}

/**
 * The part of a text that was heard after so much playing, up to a whole word.
 *
 * @param complete whether `milliseconds` of audio are all of the text, so that the voice's own speed is known
 */
export function heardText(text: string, playedMs: number, milliseconds: number, complete: boolean): string {
  if (!(playedMs > 0) || !(milliseconds > 0)) return '';
  const perMillisecond = complete ? text.length / milliseconds : charactersPerSecond / 1000;
  const length = Math.floor(Math.min(playedMs, milliseconds) * perMillisecond);
  if (length >= text.length) return text;
  // The character behind it tells whether the last word is whole.
  const words = /^[\s\S]*\S(?=\s)/u.exec(text.slice(0, length + 1));
  return words?.[0] ?? '';
}
