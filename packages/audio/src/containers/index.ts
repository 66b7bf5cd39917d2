export { type AdtsHeader, adtsHeaderOf, readAdtsHeader, writeAdtsFrame } from './aac.ts';
export {
  type FlacInformation,
  flacFrameGrowth,
  flacFrameSamples,
  flacHeaderBytes,
  readFlacInformation,
  writeFlac,
} from './flac.ts';
export {
  type ContainerPacket,
  type ContainerTrack,
  type OpenContainer,
  openContainer,
} from './open-container.ts';
