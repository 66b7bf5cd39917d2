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
