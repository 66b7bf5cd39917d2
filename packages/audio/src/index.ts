export {
  type AudioMeasure,
  type AudioMeter,
  type AudioMeterOptions,
  createAudioMeter,
  measureAudio,
} from './audio-meter.ts';
export { ascii, hasText, joinBytes, viewOf } from './bytes.ts';
export { AudioFormatError, type AudioFormatErrorKind } from './errors.ts';
export {
  createMp3FrameWalker,
  id3Bytes,
  type Mp3Frame,
  type Mp3FrameHeader,
  type Mp3FrameWalker,
  type Mp3Information,
  type Mp3Reservoir,
  readMp3FrameHeader,
  readMp3Information,
  readMp3Reservoir,
  silenceMp3Frame,
} from './mp3.ts';
export {
  createOggPageWalker,
  type OggPage,
  type OggPageHead,
  type OggPageWalker,
  OggWriter,
  readOggPageHead,
  writeOggComments,
} from './ogg.ts';
export {
  createOpusReader,
  type OpusHead,
  type OpusPacket,
  type OpusReader,
  opusPacketSamples,
  readOpusHead,
  writeOpusHead,
} from './opus.ts';
export {
  type Container,
  type Recognised,
  recogniseContainer,
  searchedBytes,
  signatureBytes,
  transportStream,
} from './recognise.ts';
export {
  createWavReader,
  finishWav,
  readWavHeader,
  type SampleReader,
  sampleReaderOf,
  type WavHeader,
  type WavHeaderOptions,
  type WavReader,
  type WavSizeFix,
  wavSizeFixes,
  writeWavHeader,
  writeWavHeaderOf,
} from './wav.ts';
