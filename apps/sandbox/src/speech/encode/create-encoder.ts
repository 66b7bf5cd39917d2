import type { AudioEncoder, AudioSettings } from './encoder.ts';
import { createMp3Encoder } from './mp3.ts';
import { createOpusEncoder } from './opus.ts';
import { createPcmEncoder } from './pcm.ts';
import { createWavEncoder } from './wav.ts';

export async function createEncoder(settings: AudioSettings): Promise<AudioEncoder> {
  switch (settings.format) {
    case 'wav':
      return createWavEncoder(settings.sampleRate);
    case 'pcm':
      return createPcmEncoder();
    case 'mp3':
      return createMp3Encoder(settings.sampleRate, settings.mp3Bitrate);
    case 'opus':
      return createOpusEncoder(settings.opusBitrate);
  }
}
