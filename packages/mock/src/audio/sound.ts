import type { AudioFormat } from '@speech-api/types';
import { createMp3 } from './mp3.ts';
import { createOpus } from './opus.ts';
import { createPcm, createWav } from './wav.ts';

/** What the audio of an answer is to be like. */
export interface SoundSettings {
  readonly format: AudioFormat;
  /** Hz; one that the format has. */
  readonly sampleRate: number;
  /** kbps. */
  readonly mp3Bitrate: number;
  /** bps; negative for automatic. */
  readonly opusBitrate: number;
}

/** A tone that is written piece by piece, in one format. Times are seconds from its start and never go back. */
export interface Sound {
  /** The bytes that bring the audio up to this time, as far as whole frames go. */
  until(seconds: number): Uint8Array;
  /** The bytes that are missing for the whole, and what ends it. */
  finish(seconds: number): Uint8Array;
}

const makers: Readonly<Record<AudioFormat, (settings: SoundSettings) => Sound>> = {
  wav: createWav,
  pcm: createPcm,
  mp3: createMp3,
  opus: createOpus,
};

/** Starts a tone in the format that was asked for (section 2.3). */
export function createSound(settings: SoundSettings): Sound {
  return makers[settings.format](settings);
}
