import { checksum } from '../output/opus.ts';

export interface Mp3Frame {
  readonly sampleRate: number;
  readonly bitrate: number;
  readonly mono: boolean;
  readonly bytes: number;
}

const bitrates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const rates = [44100, 48000, 32000];

export const samplesAFrame = 1152;

/** Walks the frames of MPEG-1 layer III from the first byte to the last; anything between them is an error. */
export function readMp3(bytes: Uint8Array): Mp3Frame[] {
  const frames: Mp3Frame[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(offset, offset + 4);
    if (first !== 0xff || (second & 0xfe) !== 0xfa) throw new Error(`no frame at byte ${offset}`);
    const bitrate = bitrates[third >> 4];
    const sampleRate = rates[(third >> 2) & 3];
    if (bitrate === undefined || sampleRate === undefined) throw new Error(`a bad header at byte ${offset}`);
    const length = Math.floor((144_000 * bitrate) / sampleRate) + ((third >> 1) & 1);
    frames.push({ sampleRate, bitrate, mono: fourth >> 6 === 3, bytes: length });
    offset += length;
  }
  if (offset !== bytes.length) throw new Error('the last frame is cut');
  return frames;
}

export interface OggPageRead {
  readonly first: boolean;
  readonly last: boolean;
  readonly granule: number;
  readonly sequence: number;
  readonly packets: readonly Uint8Array[];
}

/** Reads Ogg pages and checks what binds them: checksums, numbers, and packets that end with their page. */
export function readOgg(bytes: Uint8Array): OggPageRead[] {
  const pages: OggPageRead[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + offset);
    if (new TextDecoder().decode(bytes.subarray(offset, offset + 4)) !== 'OggS')
      throw new Error('no page here');
    const segments = bytes.subarray(offset + 27, offset + 27 + view.getUint8(26));
    const bodyStart = offset + 27 + segments.length;
    const packets: Uint8Array[] = [];
    let end = bodyStart;
    let start = bodyStart;
    for (const segment of segments) {
      end += segment;
      if (segment === 255) continue;
      packets.push(bytes.subarray(start, end));
      start = end;
    }
    if (start !== end) throw new Error('a packet runs over the end of its page');
    const page = new Uint8Array(bytes.subarray(offset, end));
    page.fill(0, 22, 26);
    if (checksum(page) !== view.getUint32(22, true)) throw new Error('a wrong checksum');
    if (view.getUint32(18, true) !== pages.length) throw new Error('a page out of order');
    pages.push({
      first: (view.getUint8(5) & 2) !== 0,
      last: (view.getUint8(5) & 4) !== 0,
      granule: Number(view.getBigInt64(6, true)),
      sequence: view.getUint32(18, true),
      packets,
    });
    offset = end;
  }
  return pages;
}

export interface WavHeader {
  readonly riffBytes: number;
  readonly format: number;
  readonly channels: number;
  readonly sampleRate: number;
  readonly bitsPerSample: number;
  readonly dataBytes: number;
  readonly dataOffset: number;
}

/** Reads a wav header chunk by chunk. */
export function readWav(bytes: Uint8Array): WavHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = (offset: number) => new TextDecoder().decode(bytes.subarray(offset, offset + 4));
  if (tag(0) !== 'RIFF' || tag(8) !== 'WAVE') throw new Error('not a wav file');
  let offset = 12;
  let form: Pick<WavHeader, 'format' | 'channels' | 'sampleRate' | 'bitsPerSample'> | undefined;
  while (tag(offset) !== 'data') {
    if (tag(offset) === 'fmt ') {
      form = {
        format: view.getUint16(offset + 8, true),
        channels: view.getUint16(offset + 10, true),
        sampleRate: view.getUint32(offset + 12, true),
        bitsPerSample: view.getUint16(offset + 22, true),
      };
    }
    offset += 8 + view.getUint32(offset + 4, true);
  }
  if (form === undefined) throw new Error('no format chunk');
  return {
    ...form,
    riffBytes: view.getUint32(4, true),
    dataBytes: view.getUint32(offset + 4, true),
    dataOffset: offset + 8,
  };
}
