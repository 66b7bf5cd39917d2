export { type AdtsHeader, adtsHeaderOf, readAdtsHeader, writeAdtsFrame } from './aac.ts';
export type { SeekableBytes } from './edit-list.ts';
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
  type DemuxedContainer,
  type OpenContainer,
  openContainer,
} from './open-container.ts';
