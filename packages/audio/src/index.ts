export {
  type AudioMeasure,
  type AudioMeter,
  type AudioMeterOptions,
  createAudioMeter,
  measureAudio,
} from './audio-meter.ts';
export { AudioFormatError, type AudioFormatErrorKind } from './errors.ts';
export type { Mp3FrameHeader, Mp3Information } from './mp3.ts';
export { createMp3FrameWalker, type Mp3Frame, type Mp3FrameWalker } from './mp3.ts';
export {
  createOggPageWalker,
  type OggPacketPart,
  type OggPage,
  type OggPageWalker,
} from './ogg.ts';
export {
  createOpusReader,
  type OpusHead,
  type OpusPacket,
  type OpusReader,
  opusPacketSamples,
} from './opus.ts';
export {
  createWavReader,
  finishWav,
  readWavHeader,
  type WavHeader,
  type WavHeaderOptions,
  type WavReader,
  type WavSizeFix,
  wavSizeFixes,
  writeWavHeader,
} from './wav.ts';
